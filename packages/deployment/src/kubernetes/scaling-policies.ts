import type { Policy } from '../finding.ts'
import { type Behavior, listWorkloads, type Manifest, matches, nameOf, type PodTemplate, select } from './manifest.ts'

type Manifests = readonly Manifest[]

/** The parameters of KEDA's scaler for PostgreSQL, which its schema does not list. */
const TRIGGER_PARAMETERS = {
  required: ['query', 'targetQueryValue'],
  optional: ['activationTargetQueryValue', 'connectionFromEnv', 'dbName', 'host', 'port', 'sslmode', 'userName'],
}
const CALM = { windowSeconds: 300, percent: 20, periodSeconds: 60 }
/** Networks that the egress to the internet must leave out. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]

const behaviorOf = ({ spec }: Manifest): Behavior | undefined =>
  spec?.behavior ?? spec?.advanced?.horizontalPodAutoscalerConfig?.behavior

export const SCALING_POLICIES: Policy<Manifests>[] = [
  {
    name: 'one-owner-of-replicas',
    check(manifests, report) {
      const owners = select(manifests, 'ScaledObject', 'HorizontalPodAutoscaler')
      for (const { where, manifest } of listWorkloads(manifests, 'Deployment')) {
        const owned = owners.filter(({ spec }) => spec?.scaleTargetRef?.name === manifest.metadata.name)
        if (owned.length > 1) report(where, 'is scaled by two autoscalers')
        if (manifest.spec?.replicas !== undefined) report(where, 'sets replicas, which every update would reset')
        if (owners.length > 0 && owned.length === 0) report(where, 'is scaled by none of the autoscalers')
      }
    },
  },
  {
    name: 'two-pods',
    check(manifests, report) {
      for (const manifest of select(manifests, 'ScaledObject', 'HorizontalPodAutoscaler')) {
        const min = manifest.spec?.minReplicas ?? manifest.spec?.minReplicaCount ?? 0
        if (min < 2) report(nameOf(manifest), 'may have fewer than two pods')
      }
    },
  },
  {
    name: 'trigger-parameters',
    check(manifests, report) {
      for (const manifest of select(manifests, 'ScaledObject')) {
        for (const { type, metadata } of manifest.spec?.triggers ?? []) {
          if (type !== 'postgresql') report(nameOf(manifest), `asks ${type}, not PostgreSQL`)
          const { required, optional } = TRIGGER_PARAMETERS
          const missing = required.filter((name) => !(name in metadata))
          const unknown = Object.keys(metadata).filter((name) => ![...required, ...optional].includes(name))
          if (missing.length > 0 || unknown.length > 0) {
            report(
              nameOf(manifest),
              `misses ${missing.join(', ') || 'nothing'}, and has ${unknown.join(', ') || 'nothing'} too many`,
            )
          }
          if (Object.values(metadata).some((value) => typeof value !== 'string'))
            report(nameOf(manifest), 'needs strings')
        }
      }
    },
  },
  {
    name: 'fallback',
    check(manifests, report) {
      for (const manifest of select(manifests, 'ScaledObject')) {
        const { behavior } = manifest.spec?.fallback ?? {}
        if (behavior !== 'currentReplicasIfHigher') report(nameOf(manifest), 'shrinks while PostgreSQL cannot be asked')
      }
    },
  },
  {
    name: 'calm-scale-down',
    check(manifests, report) {
      for (const manifest of select(manifests, 'ScaledObject', 'HorizontalPodAutoscaler')) {
        const { stabilizationWindowSeconds = 0, policies = [] } = behaviorOf(manifest)?.scaleDown ?? {}
        const isCalm = policies.every(
          ({ type, value, periodSeconds }) =>
            type === 'Percent' && value <= CALM.percent && periodSeconds >= CALM.periodSeconds,
        )
        if (stabilizationWindowSeconds < CALM.windowSeconds || policies.length === 0 || !isCalm) {
          report(nameOf(manifest), 'shrinks in haste')
        }
      }
    },
  },
  {
    name: 'closed-network',
    check(manifests, report) {
      const policies = select(manifests, 'NetworkPolicy')
      if (policies.length === 0) return
      // Two types without rules of egress: what no other policy allows is denied in both directions.
      const denying = policies.filter(({ spec }) => spec?.policyTypes?.length === 2 && !spec.egress)
      for (const { where, template } of listWorkloads(manifests)) {
        if (!denying.some((policy) => isSelectedBy(policy, template))) report(where, 'is denied nothing by default')
      }
      for (const policy of policies) {
        const blocks = policy.spec?.egress?.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? []
        const excepted = blocks.flatMap(({ except = [] }) => except)
        const isOpen = blocks.some(({ cidr }) => cidr.endsWith('/0'))
        const missing = PRIVATE.filter((network) => !excepted.includes(network))
        if (isOpen && missing.length > 0) report(nameOf(policy), `lets pods reach ${missing.join(', ')}`)
      }
    },
  },
  {
    name: 'way-to-stores',
    check(manifests, report) {
      const policies = select(manifests, 'NetworkPolicy')
      if (policies.length === 0) return
      const ways = policies.filter(({ spec }) =>
        spec?.egress?.some(({ ports }) => ports?.some(({ port }) => port === 5432)),
      )
      for (const { where, template, containers } of listWorkloads(manifests)) {
        const usesDatabase = containers.some(({ env }) => env?.some(({ name }) => name === 'DATABASE_URL'))
        if (usesDatabase && !ways.some((policy) => isSelectedBy(policy, template)))
          report(where, 'may not reach PostgreSQL')
      }
    },
  },
]

/** Returns whether a network policy applies to a pod. */
const isSelectedBy = ({ spec }: Manifest, template: PodTemplate): boolean => {
  const { matchLabels = {}, matchExpressions = [] } = spec?.podSelector ?? {}
  const fits = ({ key, values }: { key: string; values: string[] }): boolean =>
    values.includes(template.metadata.labels?.[key] ?? '')
  return matches(matchLabels, template) && matchExpressions.every(fits)
}
