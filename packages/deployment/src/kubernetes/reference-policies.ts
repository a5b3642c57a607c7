import type { Policy } from '../finding.ts'
import { isSecretSetting } from '../settings.ts'
import {
  listWorkloads,
  type Manifest,
  type ManifestLabels,
  matches,
  nameOf,
  select,
  type Variable,
} from './manifest.ts'

type Manifests = readonly Manifest[]

const namesOf = (manifests: Manifests, ...kinds: string[]): (string | undefined)[] =>
  select(manifests, ...kinds).map(({ metadata }) => metadata.name)

const isSelected = (manifests: Manifests, selector: ManifestLabels): boolean =>
  listWorkloads(manifests).some(({ template }) => matches(selector, template))

/** Everything that a document names must be in the same set of documents. */
const REFERENCES: Policy<Manifests> = {
  name: 'references',
  check(manifests, report) {
    const maps = namesOf(manifests, 'ConfigMap')
    const accounts = namesOf(manifests, 'ServiceAccount')
    for (const { where, manifest, template, containers } of listWorkloads(manifests)) {
      const account = template.spec.serviceAccountName
      if (account && !accounts.includes(account)) report(where, `names the service account ${account}`)
      const volumes = [
        ...(template.spec.volumes ?? []),
        ...(manifest.spec?.volumeClaimTemplates ?? []).map((one) => one.metadata),
      ]
      for (const { name, envFrom = [], volumeMounts = [] } of containers) {
        for (const { configMapRef } of envFrom) {
          if (configMapRef && !maps.includes(configMapRef.name))
            report(where, `${name} names the map ${configMapRef.name}`)
        }
        for (const mount of volumeMounts) {
          if (!volumes.some((volume) => volume.name === mount.name)) report(where, `${name} mounts ${mount.name}`)
        }
      }
    }
    for (const route of select(manifests, 'Ingress', 'HTTPRoute')) {
      const backends = (route.spec?.rules ?? []).flatMap(({ http, backendRefs = [] }) => [
        ...(http?.paths.map(({ backend }) => backend.service) ?? []),
        ...backendRefs,
      ])
      for (const { name } of backends) {
        if (!namesOf(manifests, 'Service').includes(name)) report(nameOf(route), `names the service ${name}`)
      }
    }
    for (const scaled of select(manifests, 'ScaledObject', 'HorizontalPodAutoscaler')) {
      const target = scaled.spec?.scaleTargetRef?.name
      if (!namesOf(manifests, 'Deployment').includes(target ?? '')) report(nameOf(scaled), `scales ${target}`)
      for (const { authenticationRef } of scaled.spec?.triggers ?? []) {
        const name = authenticationRef?.name
        if (name && !namesOf(manifests, 'TriggerAuthentication').includes(name)) report(nameOf(scaled), `names ${name}`)
      }
    }
  },
}

/** Secrets are named, never written down, and each container gets only the values that it reads. */
const SECRETS: Policy<Manifests> = {
  name: 'secrets',
  check(manifests, report) {
    const external = select(manifests, 'ExternalSecret').map(({ spec }) => spec?.target?.name)
    const provided = [...namesOf(manifests, 'Secret'), ...external]
    // The directory of files is no secret, the key of a bucket is.
    const isSecret = ({ name, value }: Variable): boolean => isSecretSetting(name) && !value?.startsWith('file:')
    for (const map of select(manifests, 'ConfigMap')) {
      for (const name of Object.keys(map.data ?? {}).filter(isSecretSetting)) report(nameOf(map), `writes down ${name}`)
    }
    for (const { where, containers } of listWorkloads(manifests)) {
      for (const { env = [], envFrom = [] } of containers) {
        if (envFrom.some(({ secretRef }) => secretRef)) report(where, 'gets every value of a secret')
        for (const variable of env.filter(isSecret)) {
          const reference = variable.valueFrom?.secretKeyRef
          if (!reference) report(where, `writes down ${variable.name}`)
          else if (provided.length > 0 && !provided.includes(reference.name))
            report(where, `names the secret ${reference.name}`)
        }
      }
    }
  },
}

const SELECTORS: Policy<Manifests> = {
  name: 'selectors',
  check(manifests, report) {
    for (const { where, manifest, template } of listWorkloads(manifests, 'Deployment', 'StatefulSet')) {
      if (!matches(manifest.spec?.selector?.matchLabels ?? {}, template)) report(where, 'does not select its own pods')
    }
    for (const service of select(manifests, 'Service')) {
      const selector = service.spec?.selector as ManifestLabels
      const pods = listWorkloads(manifests).filter(({ template }) => matches(selector, template))
      const ports = pods.flatMap(({ containers }) =>
        containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
      )
      const missing = service.spec?.ports?.filter(({ targetPort }) => !ports.includes(targetPort ?? '')) ?? []
      if (pods.length === 0 || missing.length > 0) report(nameOf(service), 'selects no pod with its ports')
    }
    for (const manifest of select(manifests, 'PodDisruptionBudget', 'PodMonitor')) {
      const selector = manifest.spec?.selector?.matchLabels ?? {}
      if (!isSelected(manifests, selector)) report(nameOf(manifest), 'selects no pod')
    }
    for (const policy of select(manifests, 'NetworkPolicy')) {
      const { matchLabels = {}, matchExpressions = [] } = policy.spec?.podSelector ?? {}
      const options = matchExpressions.flatMap(({ key, values }) => values.map((value) => ({ [key]: value })))
      // The pods of cert-manager are not ours.
      const isForeign = Object.keys(matchLabels).some((name) => name.startsWith('acme.cert-manager.io/'))
      const isUsed =
        options.length > 0 ? options.some((one) => isSelected(manifests, one)) : isSelected(manifests, matchLabels)
      if (!isUsed && !isForeign) report(nameOf(policy), 'selects no pod')
    }
  },
}

export const REFERENCE_POLICIES: Policy<Manifests>[] = [
  REFERENCES,
  SECRETS,
  SELECTORS,
  {
    name: 'one-namespace',
    check(manifests, report) {
      for (const manifest of manifests) {
        const { name, namespace } = manifest.metadata
        const found = manifest.kind === 'Namespace' ? name : namespace
        if (found !== 'subtext') report(nameOf(manifest), `is in the namespace ${found}`)
      }
    },
  },
  {
    name: 'disruption-budget',
    check(manifests, report) {
      const budgets = select(manifests, 'PodDisruptionBudget').map(({ spec }) => spec?.selector?.matchLabels ?? {})
      for (const { where, template } of listWorkloads(manifests, 'Deployment')) {
        if (!budgets.some((selector) => matches(selector, template))) report(where, 'has no disruption budget')
      }
    },
  },
]
