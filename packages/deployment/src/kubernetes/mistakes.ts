import type { Container, Manifest, PodTemplate, Spec } from './manifest.ts'

export interface Mistake {
  /** The policy that must notice it. */
  policy: string
  description: string
  /** Plants the mistake in the manifests of production. */
  plant(find: (name: string) => Planted): void
}

/** A document with the parts that are usually changed. */
export interface Planted {
  manifest: Manifest
  spec: Spec
  template: PodTemplate
  app: Container
}

type Change = (planted: Planted) => void
const inDocument =
  (name: string, change: Change): Mistake['plant'] =>
  (find) =>
    change(find(name))
const mistake = (policy: string, description: string, name: string, change: Change): Mistake => ({
  policy,
  description,
  plant: inDocument(name, change),
})

/** Removes a field that the type requires. */
const remove = (object: object | undefined, field: string): void => {
  if (object) Reflect.deleteProperty(object, field)
}

export const MISTAKES: Mistake[] = [
  mistake('schema', 'a misspelled field', 'Deployment/api', ({ app }) =>
    Object.assign(app, { imagePullPolice: 'Always' }),
  ),
  mistake('schema', 'a field in the wrong place', 'Job/migrate', ({ spec }) =>
    Object.assign(spec, { restartPolicy: 'Never' }),
  ),
  mistake('schema', 'a number where text is needed', 'ConfigMap/settings', ({ manifest }) =>
    Object.assign(manifest.data ?? {}, { DATABASE_POOL: 5 }),
  ),
  mistake('schema', 'an unknown kind', 'ScaledObject/worker', ({ manifest }) =>
    Object.assign(manifest, { apiVersion: 'keda.sh/v1' }),
  ),
  mistake('non-root', 'a pod that runs as root', 'Deployment/worker', ({ template }) =>
    Object.assign(template.spec.securityContext ?? {}, { runAsUser: 0 }),
  ),
  mistake('seccomp', 'a pod without a filter of system calls', 'CronJob/canary', ({ template }) =>
    remove(template.spec.securityContext, 'seccompProfile'),
  ),
  mistake('no-token', 'a pod with a token', 'Deployment/api', ({ template }) =>
    remove(template.spec, 'automountServiceAccountToken'),
  ),
  mistake('no-host', 'a pod on the network of its node', 'Deployment/webhooks', ({ template }) =>
    Object.assign(template.spec, { hostNetwork: true }),
  ),
  mistake('read-only-root', 'a writable image', 'Job/migrate', ({ app }) =>
    remove(app.securityContext, 'readOnlyRootFilesystem'),
  ),
  mistake('no-privilege-escalation', 'a container that may gain privileges', 'Deployment/worker-high', ({ app }) =>
    Object.assign(app.securityContext ?? {}, { allowPrivilegeEscalation: true }),
  ),
  mistake('no-capabilities', 'a container with capabilities', 'Deployment/worker', ({ app }) =>
    remove(app.securityContext, 'capabilities'),
  ),
  mistake('requests', 'a container without requests', 'Deployment/worker', ({ app }) =>
    remove(app.resources, 'requests'),
  ),
  mistake('memory-limit', 'a container without a memory limit', 'Deployment/api', ({ app }) =>
    remove(app.resources, 'limits'),
  ),
  mistake('no-cpu-limit', 'a container with a CPU limit', 'Deployment/api', ({ app }) =>
    Object.assign(app.resources?.limits ?? {}, { cpu: '1' }),
  ),
  mistake('pinned-image', 'an image without a version', 'Deployment/api', ({ app }) =>
    Object.assign(app, { image: 'registry.example.com/subtext:latest' }),
  ),
  mistake('grace-period', 'a pod that is killed while its jobs end', 'Deployment/worker', ({ template }) =>
    Object.assign(template.spec, { terminationGracePeriodSeconds: 130 }),
  ),
  mistake('grace-period', 'a grace period that forgets the pause before it', 'Deployment/api', ({ template }) =>
    Object.assign(template.spec, { terminationGracePeriodSeconds: 40 }),
  ),
  mistake('probes', 'a liveness probe that asks PostgreSQL', 'Deployment/worker', ({ app }) =>
    Object.assign(app.livenessProbe?.httpGet ?? {}, { path: '/health/ready' }),
  ),
  mistake('probes', 'a probe of a port that does not exist', 'Deployment/webhooks', ({ app }) =>
    Object.assign(app.readinessProbe?.httpGet ?? {}, { port: 'http' }),
  ),
  mistake('no-gap', 'an update that stops a pod first', 'Deployment/worker-high', ({ spec }) =>
    Object.assign(spec.strategy?.rollingUpdate ?? {}, { maxUnavailable: 1 }),
  ),
  mistake('spread', 'pods that may share a zone', 'Deployment/api', ({ template }) =>
    template.spec.topologySpreadConstraints?.shift(),
  ),
  mistake('after-migration', 'a new version on an old schema', 'Deployment/api', ({ template }) =>
    remove(template.spec, 'initContainers'),
  ),
  mistake('known-program', 'a program that is not in the image', 'Deployment/worker', ({ app }) =>
    Object.assign(app, { args: ['dist/worker/index.js'] }),
  ),
  mistake('known-settings', 'a setting of another app', 'Deployment/webhooks', ({ app }) =>
    app.env?.push({ name: 'WORKER_CONCURRENCY', value: '8' }),
  ),
  mistake('known-settings', 'a misspelled setting', 'ConfigMap/settings', ({ manifest }) =>
    Object.assign(manifest.data ?? {}, { DATABASE_POOLS: '5' }),
  ),
  mistake('valid-settings', 'an impossible value', 'ConfigMap/settings', ({ manifest }) =>
    Object.assign(manifest.data ?? {}, { DATABASE_POOL: 'many' }),
  ),
  mistake('production-settings', 'requests without TLS', 'ConfigMap/settings', ({ manifest }) =>
    Object.assign(manifest.data ?? {}, { HTTPS_ONLY: 'false' }),
  ),
  mistake('references', 'settings that do not exist', 'Deployment/api', ({ app }) =>
    Object.assign(app, { envFrom: [{ configMapRef: { name: 'setting' } }] }),
  ),
  mistake('references', 'an autoscaler of nothing', 'ScaledObject/worker', ({ spec }) =>
    Object.assign(spec.scaleTargetRef ?? {}, { name: 'workers' }),
  ),
  mistake('secrets', 'a secret in the manifest', 'Deployment/worker', ({ app }) =>
    app.env?.push({ name: 'ANTHROPIC_API_KEY', value: 'secret' }),
  ),
  mistake('secrets', 'a secret among the settings', 'ConfigMap/settings', ({ manifest }) =>
    Object.assign(manifest.data ?? {}, { SMTP_URL: 'smtps://user:password@smtp.example.com' }),
  ),
  mistake('all-secrets', 'a secret that a process cannot get', 'Deployment/api', ({ app }) =>
    Object.assign(app, { env: app.env?.filter(({ name }) => name !== 'OIDC_CLIENT_SECRET') }),
  ),
  mistake('secrets', 'a secret that nothing provides', 'ExternalSecret/subtext', ({ spec }) =>
    Object.assign(spec.target ?? {}, { name: 'other' }),
  ),
  mistake('selectors', 'a service without pods', 'Service/api', ({ spec }) =>
    Object.assign(spec.selector ?? {}, { 'app.kubernetes.io/component': 'apis' }),
  ),
  mistake('selectors', 'a deployment without its pods', 'Deployment/api', ({ template }) =>
    Object.assign(template.metadata.labels ?? {}, { 'app.kubernetes.io/component': 'apis' }),
  ),
  mistake('one-namespace', 'a document elsewhere', 'PodMonitor/subtext', ({ manifest }) =>
    Object.assign(manifest.metadata, { namespace: 'monitoring' }),
  ),
  mistake('disruption-budget', 'a deployment without a budget', 'PodDisruptionBudget/webhooks', ({ spec }) =>
    Object.assign(spec.selector?.matchLabels ?? {}, { 'app.kubernetes.io/component': 'api' }),
  ),
  mistake('one-owner-of-replicas', 'replicas beside an autoscaler', 'Deployment/worker', ({ spec }) =>
    Object.assign(spec, { replicas: 3 }),
  ),
  mistake('two-pods', 'an autoscaler that may stop all pods', 'ScaledObject/worker-high', ({ spec }) =>
    Object.assign(spec, { minReplicaCount: 0 }),
  ),
  mistake('trigger-parameters', 'a misspelled parameter of a trigger', 'ScaledObject/worker', ({ spec }) =>
    Object.assign(spec.triggers?.[0]?.metadata ?? {}, { targetValue: '8' }),
  ),
  mistake('fallback', 'an autoscaler without a fallback', 'ScaledObject/webhooks', ({ spec }) =>
    remove(spec, 'fallback'),
  ),
  mistake('calm-scale-down', 'an autoscaler that shrinks at once', 'ScaledObject/worker', ({ spec }) =>
    remove(spec.advanced, 'horizontalPodAutoscalerConfig'),
  ),
  mistake('closed-network', 'a way to private addresses', 'NetworkPolicy/internet', ({ spec }) =>
    spec.egress?.[0]?.to?.forEach(({ ipBlock }) => {
      remove(ipBlock, 'except')
    }),
  ),
  mistake('closed-network', 'pods that are denied nothing', 'NetworkPolicy/default-deny', ({ spec }) =>
    Object.assign(spec.podSelector ?? {}, { matchLabels: { 'app.kubernetes.io/component': 'api' } }),
  ),
  mistake('way-to-stores', 'a job that may not reach PostgreSQL', 'NetworkPolicy/stores', ({ spec }) => {
    for (const one of spec.podSelector?.matchExpressions ?? [])
      one.values = one.values.filter((name) => name !== 'purge')
  }),
]
