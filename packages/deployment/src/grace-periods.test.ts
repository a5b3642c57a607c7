import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ComposeService, parseCompose } from './docker/compose.ts'
import { DOCKERFILE, describeImage } from './docker/dockerfile.ts'
import { readDefaults } from './helm/chart.ts'
import { ROOT } from './paths.ts'
import { environmentOf, parseUnit, readUnits } from './systemd/units.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { services } = parseCompose(read('docker/compose.yaml'), new Proxy({}, { get: () => 'value' }))
const { healthcheck } = describeImage(DOCKERFILE)
const units = readUnits()

const inManifest = (name: string): string | undefined =>
  /SHUTDOWN_GRACE_SECONDS\n\s+value: '(\d+)'/.exec(read(`k8s/base/${name}.yaml`))?.[1]
const inCompose = ({ environment }: Partial<ComposeService> = {}): string | undefined =>
  environment?.SHUTDOWN_GRACE_SECONDS
const inUnit = (name: string): string | undefined =>
  environmentOf(parseUnit(units.get(`subtext-${name}.service`) ?? '')).SHUTDOWN_GRACE_SECONDS
const inChart = (...path: string[]): string => {
  const found = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], readDefaults())
  return String((found as { shutdownGraceSeconds: number }).shutdownGraceSeconds)
}

test.each([
  ['api', 'api', ['api']],
  ['worker', 'worker@', ['workers', 'worker']],
  ['worker-high', 'worker@', ['workers', 'worker-high']],
  ['webhooks', 'webhooks', ['webhooks']],
  ['mcp', 'mcp', ['mcp']],
])(
  '%s has the same time to finish its work in the manifests, the chart, the compose file and the units',
  (name, unit, path) => {
    const seconds = inManifest(name)
    expect(Number(seconds)).toBeGreaterThan(0)
    expect([inChart(...path), inCompose(services[name]), inUnit(unit)]).toEqual([seconds, seconds, seconds])
  },
)

test('Docker and Kubernetes ask the same path whether a process lives', () => {
  expect(healthcheck.join(' ')).toContain('/health/live')
  expect(read('k8s/base/patches/deployment.yaml')).toMatch(/livenessProbe:\n\s+httpGet: \{ path: \/health\/live,/)
})
