import { Ajv } from 'ajv'
import { findViolations } from '../finding.ts'
import { type Manifest, nameOf } from '../kubernetes/manifest.ts'
import { POLICIES } from '../kubernetes/policies.ts'
import { findKustomize, render } from '../kubernetes/render.ts'
import { APPS, isSecretSetting, listSettings, settingIssues } from '../settings.ts'
import {
  canRenderCharts,
  documentsOf,
  mergeValues,
  readDefaults,
  readExamples,
  readSchema,
  renderChart,
  type Values,
} from './chart.ts'
import { normalize } from './compare.ts'

const examples = readExamples()
const NAMES = [...examples.keys()]
const exampleOf = (name: string): Values => examples.get(name) ?? {}

const validate = new Ajv({ allErrors: true, strict: false }).compile(readSchema())
/** Returns what the schema of the chart says about values. */
const complaintsAbout = (given: Values): string[] => {
  validate(mergeValues(readDefaults(), given))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test.each(NAMES)('the values of the example %s are valid', (name) => {
  expect(complaintsAbout(exampleOf(name))).toEqual([])
})

test.each<[what: string, given: Values, complaint: RegExp]>([
  ['a misspelled value', { ingres: { enabled: true } }, /additional properties/],
  ['a misspelled value of a process', { api: { replica: 2 } }, /\/api .*additional properties/],
  ['an origin without TLS', { publicUrl: 'http://api.example.com' }, /\/publicUrl .*pattern/],
  ['an origin with a path', { publicUrl: 'https://api.example.com/' }, /\/publicUrl .*pattern/],
  ['a setting that is no text', { settings: { DATABASE_POOL: 5 } }, /\/settings\/DATABASE_POOL must be string/],
  ['an unknown lane', { workers: { worker: { lanes: ['urgent'] } } }, /\/workers\/worker\/lanes\/0/],
  ['workers named like another process', { workers: { api: { enabled: false } } }, /\/workers/],
  ['no workers at all', { workers: { worker: null, 'worker-high': null } }, /\/workers .*fewer than 1/],
  ['an image that changes by itself', { image: { tag: 'latest' } }, /\/image\/tag/],
  ['an autoscaler that may stop all pods', { api: { autoscaling: { min: 0 } } }, /\/api\/autoscaling\/min/],
  ['a process without a memory limit', { mcp: { resources: { limits: null } } }, /\/mcp\/resources .*limits/],
  ['an image with a tag in its name', { image: { repository: 'example.org/subtext:1.2.0' } }, /\/image\/repository/],
  ['a budget that no drain can meet', { api: { disruptionBudget: { maxUnavailable: 0 } } }, /\/maxUnavailable must/],
  ['a secret among the settings', { settings: { SMTP_URL: 'smtps://u:p@example.org' } }, /\/settings property name/],
  ['a secret of one process', { api: { settings: { AUTH_SECRET: 'x' } } }, /\/api\/settings property name/],
  ['a misspelled secret', { secrets: { from: { DATABASE_UR: { name: 'a' } } } }, /\/secrets\/from property name/],
  [
    'lanes among the settings of workers',
    { workers: { worker: { settings: { WORKER_LANES: 'high' } } } },
    /\/workers\/worker\/settings property name/,
  ],
  ['a route without a gateway', { httpRoute: { enabled: true } }, /\/httpRoute\/parentRefs .*fewer than 1/],
  [
    'autoscaling of workers that do not say how',
    { autoscaling: { enabled: true }, workers: { worker: { autoscaling: null } } },
    /\/workers\/worker .*autoscaling/,
  ],
])('refuses %s', (_, given, complaint) => {
  expect(complaintsAbout(given).join('\n')).toMatch(complaint)
})

test('the longest grace period of the chart is that of the processes', () => {
  const issues = (seconds: number): string[] =>
    settingIssues('mcp', { SHUTDOWN_GRACE_SECONDS: String(seconds) }).filter((issue) => issue.startsWith('SHUTDOWN'))
  const complaints = (seconds: number): string[] => complaintsAbout({ mcp: { shutdownGraceSeconds: seconds } })
  expect([issues(300), complaints(300)]).toEqual([[], []])
  expect([issues(301), complaints(301)]).toEqual([[expect.any(String)], [expect.stringContaining('<= 300')]])
})

test('the settings refuse what holds a secret, and nothing else that a process reads', () => {
  const isRefused = (name: string): boolean => complaintsAbout({ settings: { [name]: 'x' } }).length > 0
  // Without a password, they are no secrets.
  const isAllowed = (name: string): boolean => /^HTTPS?_PROXY$/.test(name)
  const names = APPS.flatMap(listSettings)
  expect(names.filter(isRefused).sort()).toEqual(
    names.filter((name) => isSecretSetting(name) && !isAllowed(name)).sort(),
  )
})

/** Values that are unusual and allowed. */
const UNUSUAL: Values = {
  publicUrl: 'https://API.example.com:8443',
  settings: { PURGE_IN_WORKERS: 'true', SERVICE_API_BASE: 'https://api.internal', WORKER_CONCURRENCY: '16' },
  secrets: { from: null },
  podAnnotations: null,
  image: { tag: null, pullSecrets: null },
  api: { settings: null },
  workers: { worker: { lanes: ['high'] }, 'worker-high': { enabled: false } },
  ingress: { enabled: true, annotations: null, tlsSecretName: '' },
  httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] },
  autoscaling: { enabled: true },
  networkPolicies: { enabled: true, stores: null },
  monitoring: { enabled: true, labels: null },
}

const canRender = canRenderCharts()
const kustomize = findKustomize()
const describeRendered = canRender ? describe : describe.skip
const testCompared = kustomize ? test : test.skip

describeRendered(`the chart${canRender ? '' : ' (needs golang-go, sprig and sigs.k8s.io/yaml of Debian)'}`, () => {
  let rendered: Map<string, Map<string, string>>
  let elsewhere: Manifest[]
  beforeAll(() => {
    const files = renderChart([...NAMES.map(exampleOf), UNUSUAL])
    rendered = new Map([...NAMES, 'unusual'].map((name, at) => [name, files[at] ?? new Map()]))
    elsewhere = renderChart([exampleOf('production')], 'media').flatMap(documentsOf)
  })
  const manifestsOf = (name: string): Manifest[] => documentsOf(rendered.get(name) ?? new Map())
  const find = (name: string, document: string): Manifest | undefined =>
    manifestsOf(name).find((manifest) => nameOf(manifest) === document)

  test.each(NAMES)('%s renders valid documents that violate no policy', (name) => {
    const manifests = manifestsOf(name)
    expect(manifests.length).toBeGreaterThan(10)
    // Where an operator gives numbers, Helm owns them.
    const policies = POLICIES.filter((policy) => name !== 'fixed' || policy.name !== 'one-owner-of-replicas')
    expect(findViolations(manifests, policies)).toEqual([])
    expect(new Set(manifests.map(nameOf)).size).toBe(manifests.length)
  })

  testCompared.each(['production', 'single-node'])(
    '%s renders what the overlay of the same name does (needs kustomize or kubectl)',
    (name) => {
      const overlay = kustomize ? render(kustomize, `overlays/${name}`) : []
      expect(Object.keys(normalize(overlay)).length).toBeGreaterThan(20)
      expect(normalize(manifestsOf(name))).toEqual(normalize(overlay))
    },
  )

  testCompared('a difference from the overlay is noticed (needs kustomize or kubectl)', () => {
    const overlay = kustomize ? render(kustomize, 'overlays/production') : []
    const planted = manifestsOf('production')
    const api = planted.find((manifest) => nameOf(manifest) === 'Deployment/api')?.spec?.template?.spec
    if (api) api.terminationGracePeriodSeconds = 44
    expect(normalize(planted)).not.toEqual(normalize(overlay))
  })

  testCompared('gateway has the route of the component http-route (needs kustomize or kubectl)', () => {
    const overlay = kustomize
      ? render(kustomize, 'overlays/production', { 'components/ingress': 'components/http-route' })
      : []
    const route = 'HTTPRoute/api'
    expect(normalize(manifestsOf('gateway'))[route]).toBeDefined()
    expect(normalize(manifestsOf('gateway'))[route]).toEqual(normalize(overlay)[route])
  })

  test('the migrations run before anything else of a release exists, and name nothing of it', () => {
    const migrate = find('production', 'Job/migrate')
    expect(migrate?.metadata.annotations).toEqual({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    })
    expect(JSON.stringify(migrate)).not.toMatch(/serviceAccountName|configMapRef/)
  })

  test('unusual values that are allowed render valid documents, too', () => {
    expect(complaintsAbout(UNUSUAL)).toEqual([])
    expect(findViolations(manifestsOf('unusual'), POLICIES)).toEqual([])
    expect(find('unusual', 'Ingress/api')?.spec?.rules).toMatchObject([{ host: 'api.example.com' }])
    expect(find('unusual', 'HTTPRoute/api')?.spec).toMatchObject({ hostnames: ['api.example.com'] })
    expect(find('unusual', 'ConfigMap/settings')?.data).toMatchObject({
      PUBLIC_BASE_URL: 'https://API.example.com:8443',
      PURGE_IN_WORKERS: 'true',
      SERVICE_API_BASE: 'https://api.internal',
    })
    const targets = find('unusual', 'ScaledObject/worker')?.spec?.triggers?.map(({ metadata }) => metadata)
    expect(targets?.map(({ targetQueryValue }) => targetQueryValue)).toEqual(['8', '16', '60'])
    expect(rendered.get('unusual')?.get('templates/NOTES.txt')).toContain('No workers serve the lane `normal`')
  })

  test('secrets that values place elsewhere are those that the documents name', () => {
    const keys = [...JSON.stringify(manifestsOf('production')).matchAll(/"key":"([A-Z_]+)"/g)].map(([, key]) => key)
    const { enum: names } = readSchema().properties.secrets.properties.from.propertyNames
    expect([...new Set(keys)].sort()).toEqual([...names].sort())
  })

  test('an autoscaler whose minimum exceeds its maximum is refused', () => {
    const values = { autoscaling: { enabled: true }, workers: { worker: { autoscaling: { min: 9, max: 8 } } } }
    expect(() => renderChart([values])).toThrow('worker.autoscaling: min is 9 and max is 8')
  })

  test('numbers of pods are those that were given, and left alone otherwise and beside an autoscaler', () => {
    const replicasOf = (name: string): (number | undefined)[] =>
      ['api', 'worker', 'webhooks'].map((process) => find(name, `Deployment/${process}`)?.spec?.replicas)
    expect(replicasOf('fixed')).toEqual([2, 4, 2])
    expect(replicasOf('single-node')).toEqual([undefined, undefined, undefined])
    expect(replicasOf('production')).toEqual([undefined, undefined, undefined])
  })

  test('a further kind of workers gets its lanes and settings, and a process that is off leaves nothing behind', () => {
    const names = manifestsOf('fixed').map(nameOf)
    expect(names).toEqual(expect.arrayContaining(['Deployment/worker-nightly', 'PodDisruptionBudget/worker-nightly']))
    expect(names.filter((name) => /\/(?:mcp|canary)$/.test(name))).toEqual([])
    const env = find('fixed', 'Deployment/worker-nightly')?.spec?.template?.spec.containers[0]?.env
    expect(env).toContainEqual({ name: 'WORKER_LANES', value: 'normal' })
    const worker = find('fixed', 'Deployment/worker')?.spec?.template?.spec.containers[0]?.env
    expect(worker).toContainEqual({ name: 'WORKER_CONCURRENCY', value: '16' })
  })

  test('secrets are named one by one, and an image by its digest', () => {
    const api = find('gateway', 'Deployment/api')?.spec?.template?.spec
    const keys = Object.fromEntries((api?.containers[0]?.env ?? []).map(({ name, valueFrom }) => [name, valueFrom]))
    expect(keys.DATABASE_URL).toEqual({ secretKeyRef: { name: 'postgres-app', key: 'uri' } })
    expect(keys.REDIS_URL).toEqual({ secretKeyRef: { name: 'subtext', key: 'REDIS_URL' } })
    expect(api?.containers[0]?.image).toMatch(/^registry\.example\.com\/subtext@sha256:0{64}$/)
    expect(api).toMatchObject({ imagePullSecrets: [{ name: 'registry' }] })
  })

  test('a service monitor covers every process, which becomes the job', () => {
    const manifests = manifestsOf('gateway')
    expect(manifests.map(({ kind }) => kind)).not.toContain('PodMonitor')
    expect(find('gateway', 'ServiceMonitor/subtext')).toMatchObject({
      metadata: { labels: { release: 'kube-prometheus-stack' } },
      spec: {
        selector: { matchLabels: { 'app.kubernetes.io/component': 'metrics' } },
        endpoints: [{ port: 'metrics', relabelings: [{ targetLabel: 'job' }] }],
      },
    })
    expect(find('gateway', 'PrometheusRule/subtext')?.metadata).toMatchObject({
      labels: { release: 'kube-prometheus-stack' },
    })
  })

  test('works in another namespace, alerts included', () => {
    expect(new Set(elsewhere.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['media']))
    const rules = JSON.stringify(elsewhere.find(({ kind }) => kind === 'PrometheusRule'))
    expect(rules).toContain('namespace=\\"media\\"')
    expect(rules).not.toContain('namespace=\\"subtext\\"')
  })

  test('a change of the settings restarts the processes, and the notes say when nothing leads to them', () => {
    const checksumOf = (name: string): string | undefined =>
      /checksum\/settings: (\w{64})/.exec(rendered.get(name)?.get('templates/processes.yaml') ?? '')?.[1]
    expect(checksumOf('production')).toBeDefined()
    expect(checksumOf('fixed')).not.toBe(checksumOf('production'))
    const notesOf = (name: string): string | undefined => rendered.get(name)?.get('templates/NOTES.txt')
    expect(notesOf('fixed')).toContain('nothing leads from https://subtext.example.org')
    expect(notesOf('production')).not.toContain('nothing leads')
  })
})
