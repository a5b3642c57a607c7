import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../paths.ts'
import { ALERTS } from './alerts.ts'

const EXAMPLE = join(ROOT, 'docker/alertmanager.example.yml')
const read = (file: string): unknown => parse(readFileSync(join(ROOT, 'docker', file), 'utf8'))

interface Route {
  receiver: string
  matchers: string[]
}
const { route, receivers } = read('alertmanager.example.yml') as {
  route: Route & { routes: Route[] }
  receivers: ({ name: string } & Record<string, unknown>)[]
}

test('the example of Alertmanager sends alerts of every severity to a receiver that somebody reads', () => {
  const severities = [...new Set(ALERTS.map(({ severity }) => severity))]
  const routed = new Map(route.routes.map(({ matchers, receiver }) => [matchers.join(), receiver]))
  expect([...routed.keys()].sort()).toEqual(severities.map((severity) => `severity="${severity}"`).sort())
  for (const name of [route.receiver, ...routed.values()]) {
    const { name: _, ...ways } = receivers.find((receiver) => receiver.name === name) ?? { name: '' }
    expect([name, Object.keys(ways).length]).toEqual([name, expect.any(Number)])
    expect(Object.keys(ways).filter((way) => way.endsWith('_configs'))).not.toEqual([])
  }
})

test('Prometheus of the compose file sends its alerts to the service that the compose file runs', () => {
  const { alerting } = read('prometheus.yml') as {
    alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] }
  }
  const { services } = read('compose.yaml') as { services: Record<string, unknown> }
  const targets = alerting.alertmanagers.flatMap((one) => one.static_configs.flatMap((each) => each.targets))
  expect(targets).toEqual(['alertmanager:9093'])
  expect(services).toHaveProperty('alertmanager')
})

const testWithTool = spawnSync('amtool', ['--version']).status === 0 ? test : test.skip
testWithTool('Alertmanager accepts its example (needs amtool of the Debian package prometheus-alertmanager)', () => {
  const { status, stdout, stderr } = spawnSync('amtool', ['check-config', EXAMPLE], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('2 receivers')
})
