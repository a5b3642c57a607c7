import { type Manifest, nameOf } from '../kubernetes/manifest.ts'

/** What the chart leaves to its cluster: `helm install` takes no secrets, and a namespace is made before it. */
const LEFT_TO_THE_CLUSTER = ['Namespace', 'Issuer', 'ExternalSecret', 'Secret', 'StatefulSet']
const STORES = ['Service/postgres', 'Service/valkey', 'NetworkPolicy/stores-in']
/** Kustomize adds a hash of the content to the names of what it generates. */
const GENERATED_NAME = /^(settings|dashboards|subtext)-[a-z0-9]{10}$/
/** Labels and annotations of deployment tools and of cert-manager, and the checksum by which Helm restarts processes. */
const OF_TOOLS = /^(?:helm\.sh|argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|cert-manager\.io|checksum)\//

/** Returns the documents by name in one form, so that those of Helm and of Kustomize can be compared. */
export const normalize = (manifests: readonly Manifest[]): Record<string, unknown> =>
  Object.fromEntries(
    manifests
      .filter((manifest) => !LEFT_TO_THE_CLUSTER.includes(manifest.kind) && !STORES.includes(nameOf(manifest)))
      .map((manifest) => normalizeDocument(structuredClone(manifest)))
      .map((manifest) => [nameOf(manifest), manifest] as const)
      .sort(([one], [other]) => one.localeCompare(other)),
  )

function normalizeDocument(manifest: Manifest): Manifest {
  // Its pods are selected by the labels of their template; the labels of the documents belong to the tools.
  Reflect.deleteProperty(manifest.metadata, 'labels')
  // The Job of the chart runs before the service account exists.
  if (manifest.kind === 'Job') Reflect.deleteProperty(manifest.spec?.template?.spec ?? {}, 'serviceAccountName')
  if (manifest.spec?.jobTemplate) Reflect.deleteProperty(manifest.spec.jobTemplate, 'metadata')
  return normalizeValue(manifest) as Manifest
}

const nameIn = (item: unknown): string | undefined =>
  typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string' ? item.name : undefined

/** Sorts what has no order, and removes what belongs to tools. */
function normalizeValue(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return value.replace(GENERATED_NAME, '$1')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => normalizeValue(item))
    const isUnordered = key === 'values' || items.every((item) => nameIn(item) !== undefined)
    const rankOf = (item: unknown): string => nameIn(item) ?? String(item)
    return isUnordered ? items.sort((one, other) => rankOf(one).localeCompare(rankOf(other))) : items
  }
  const entries = Object.entries(value)
    .filter(([name]) => key !== 'annotations' || !OF_TOOLS.test(name))
    .map(([name, each]) => [name, normalizeValue(each, name)] as const)
    .filter(([name, each]) => name !== 'annotations' || Object.keys(each as object).length > 0)
  return Object.fromEntries(entries)
}
