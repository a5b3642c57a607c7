import type { Policy } from '../finding.ts'
import { namesOneVersion } from '../image-name.ts'
import { EXIT_SECONDS } from '../settings.ts'
import { type Container, listWorkloads, type Manifest, type Workload } from './manifest.ts'

type Manifests = readonly Manifest[]
type Verdict = string | false | undefined

const forEachPod = (name: string, check: (workload: Workload) => Verdict, ...kinds: string[]): Policy<Manifests> => ({
  name,
  check(manifests, report) {
    for (const workload of listWorkloads(manifests, ...kinds)) {
      const message = check(workload)
      if (message) report(workload.where, message)
    }
  },
})

const forEachContainer = (name: string, check: (container: Container) => Verdict): Policy<Manifests> => ({
  name,
  check(manifests, report) {
    for (const { where, containers } of listWorkloads(manifests)) {
      for (const container of containers) {
        const message = check(container)
        if (message) report(`${where}/${container.name}`, message)
      }
    }
  },
})

const MIN_SPREAD = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname']

function checkGracePeriod({ template: { spec } }: Workload): Verdict {
  const app = spec.containers[0]
  const preStop = app?.lifecycle?.preStop?.sleep?.seconds ?? 0
  const grace = Number(app?.env?.find(({ name }) => name === 'SHUTDOWN_GRACE_SECONDS')?.value)
  const stop = spec.terminationGracePeriodSeconds ?? 30
  const needed = preStop + grace + EXIT_SECONDS
  return !(stop > needed) && `is killed after ${stop} s and needs more than ${needed} s`
}

function checkProbes({ template: { spec } }: Workload): Verdict {
  const [app] = spec.containers
  const names = app?.ports?.map(({ name }) => name) ?? []
  const probes = { startup: app?.startupProbe, liveness: app?.livenessProbe, readiness: app?.readinessProbe }
  const paths = { startup: '/health/live', liveness: '/health/live', readiness: '/health/ready' }
  const wrong = Object.entries(paths).filter(([kind, path]) => {
    const request = probes[kind as keyof typeof probes]?.httpGet
    return request?.path !== path || !names.includes(String(request.port))
  })
  return wrong.length > 0 && `has no ${wrong.map(([kind, path]) => `${kind} probe at ${path}`).join(', ')}`
}

export const POD_POLICIES: Policy<Manifests>[] = [
  forEachPod('non-root', ({ template: { spec }, containers }) => {
    const { runAsNonRoot, runAsUser = 0 } = spec.securityContext ?? {}
    const isRoot = containers.some(({ securityContext }) => (securityContext?.runAsUser ?? runAsUser) === 0)
    return (runAsNonRoot !== true || isRoot) && 'may run as root'
  }),
  forEachPod(
    'seccomp',
    ({ template: { spec } }) =>
      spec.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'filters no system calls',
  ),
  forEachPod(
    'no-token',
    ({ template: { spec } }) => spec.automountServiceAccountToken !== false && 'gets a token for the Kubernetes API',
  ),
  forEachPod('no-host', ({ template: { spec } }) => spec.hostNetwork && 'uses the network of its node'),
  forEachContainer(
    'read-only-root',
    ({ securityContext }) => securityContext?.readOnlyRootFilesystem !== true && 'can write to its image',
  ),
  forEachContainer(
    'no-privilege-escalation',
    ({ securityContext }) =>
      (securityContext?.allowPrivilegeEscalation !== false || securityContext.privileged) && 'may gain privileges',
  ),
  forEachContainer('no-capabilities', ({ securityContext }) => {
    const { drop = [], add = [] } = securityContext?.capabilities ?? {}
    return (!drop.includes('ALL') || add.length > 0) && 'keeps capabilities'
  }),
  forEachContainer('requests', ({ resources }) => {
    const { cpu, memory } = resources?.requests ?? {}
    return !(cpu && memory) && 'requests no CPU or no memory'
  }),
  forEachContainer('memory-limit', ({ resources }) => !resources?.limits?.memory && 'has no memory limit'),
  // A process that is throttled answers its probes late. Requests share the CPU fairly.
  forEachContainer('no-cpu-limit', ({ resources }) => resources?.limits?.cpu && 'has a CPU limit'),
  forEachContainer(
    'pinned-image',
    ({ image }) => !namesOneVersion(image) && `uses ${image}, which does not name one version`,
  ),
  forEachPod('grace-period', checkGracePeriod, 'Deployment'),
  forEachPod('probes', checkProbes, 'Deployment'),
  forEachPod(
    'no-gap',
    ({ manifest }) =>
      manifest.spec?.strategy?.rollingUpdate?.maxUnavailable !== 0 && 'has fewer pods while it is updated',
    'Deployment',
  ),
  forEachPod(
    'spread',
    ({ template: { spec } }) => {
      const keys = spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey) ?? []
      return MIN_SPREAD.some((key) => !keys.includes(key)) && 'is not spread over zones and hosts'
    },
    'Deployment',
  ),
  forEachPod(
    'after-migration',
    ({ template: { spec } }) =>
      spec.containers[0]?.env?.some(({ name }) => name === 'DATABASE_URL') &&
      !spec.initContainers?.some(({ args }) => args?.join(' ') === 'dist/standalone/migrate.js --wait') &&
      'does not wait for the migrations',
    'Deployment',
  ),
]
