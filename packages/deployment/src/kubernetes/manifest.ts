export type ManifestLabels = Record<string, string>

export interface Variable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } }
}

export interface ContainerProbe {
  httpGet?: { path: string; port: string | number }
  exec?: { command: string[] }
}

export interface Container {
  name: string
  image: string
  args?: string[]
  env?: Variable[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  startupProbe?: ContainerProbe
  livenessProbe?: ContainerProbe
  readinessProbe?: ContainerProbe
  lifecycle?: { preStop?: { sleep?: { seconds: number } } }
  securityContext?: {
    readOnlyRootFilesystem?: boolean
    allowPrivilegeEscalation?: boolean
    privileged?: boolean
    runAsUser?: number
    capabilities?: { drop?: string[]; add?: string[] }
  }
  volumeMounts?: { name: string }[]
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  volumes?: { name: string }[]
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  hostNetwork?: boolean
  terminationGracePeriodSeconds?: number
  topologySpreadConstraints?: { topologyKey: string }[]
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } }
}

export interface PodTemplate {
  metadata: { labels?: ManifestLabels }
  spec: PodSpec
}

interface ScalingRules {
  stabilizationWindowSeconds: number
  policies: { type: 'Pods' | 'Percent'; value: number; periodSeconds: number }[]
}
export interface Behavior {
  scaleUp: ScalingRules
  scaleDown: ScalingRules
}
export interface Trigger {
  type: string
  name?: string
  metadata: Record<string, string>
  authenticationRef?: { name: string }
}

/** The fields of the documents that policies read. Their schemas are checked apart from that. */
export interface Spec {
  replicas?: number
  selector?: { matchLabels?: ManifestLabels } & ManifestLabels
  template?: PodTemplate
  jobTemplate?: { spec: { template: PodTemplate } }
  strategy?: { rollingUpdate?: { maxUnavailable?: number | string } }
  volumeClaimTemplates?: { metadata: { name: string } }[]
  ports?: { name: string; port: number; targetPort?: string }[]
  podSelector?: {
    matchLabels?: ManifestLabels
    matchExpressions?: { key: string; operator: string; values: string[] }[]
  }
  policyTypes?: string[]
  egress?: { to?: { ipBlock?: { cidr: string; except?: string[] } }[]; ports?: { port: number | string }[] }[]
  scaleTargetRef?: { name: string }
  minReplicas?: number
  maxReplicas?: number
  behavior?: Behavior
  minReplicaCount?: number
  maxReplicaCount?: number
  fallback?: { failureThreshold: number; replicas: number; behavior?: string }
  advanced?: { horizontalPodAutoscalerConfig?: { behavior?: Behavior } }
  triggers?: Trigger[]
  target?: { name?: string }
  /** Of an Ingress or an HTTPRoute. */
  rules?: {
    host?: string
    http?: { paths: { backend: { service: { name: string } } }[] }
    backendRefs?: { name: string }[]
  }[]
  tls?: { hosts: string[] }[]
  podMetricsEndpoints?: { port: string }[]
}

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; annotations?: ManifestLabels }
  spec?: Spec
  data?: Record<string, string>
}

/** A document that starts pods. */
export interface Workload {
  where: string
  manifest: Manifest
  template: PodTemplate
  containers: Container[]
}

export const nameOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`

export const select = (manifests: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind))

export function listWorkloads(manifests: readonly Manifest[], ...kinds: string[]): Workload[] {
  return manifests.flatMap((manifest) => {
    const template = manifest.spec?.template ?? manifest.spec?.jobTemplate?.spec.template
    if (!template || (kinds.length > 0 && !kinds.includes(manifest.kind))) return []
    const containers = [...(template.spec.initContainers ?? []), ...template.spec.containers]
    return [{ where: nameOf(manifest), manifest, template, containers }]
  })
}

/** Returns whether a pod has all these labels. */
export const matches = (selector: ManifestLabels, { metadata: { labels = {} } }: PodTemplate): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)
