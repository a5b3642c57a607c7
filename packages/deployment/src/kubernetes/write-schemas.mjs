// Writes schemas.json, the schemas of the kinds that the manifests use, from clones of two repositories:
//   node packages/deployment/src/kubernetes/write-schemas.mjs ../cdk8s/kubernetes-schemas/v1.36.0 ../CRDs-catalog
// The first is github.com/cdk8s-team/cdk8s, the second github.com/datreeio/CRDs-catalog. The npm packages with these schemas
// have 7,700 files, which would take 4 s of CPU from every install.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KINDS = [
  ...['v1/ConfigMap', 'v1/Namespace', 'v1/PersistentVolumeClaim', 'v1/Secret', 'v1/Service', 'v1/ServiceAccount'],
  ...['apps/v1/Deployment', 'apps/v1/StatefulSet', 'batch/v1/CronJob', 'batch/v1/Job', 'policy/v1/PodDisruptionBudget'],
  ...['autoscaling/v2/HorizontalPodAutoscaler', 'networking.k8s.io/v1/Ingress', 'networking.k8s.io/v1/NetworkPolicy'],
]
const CUSTOM_KINDS = [
  ...['cert-manager.io/v1/Issuer', 'external-secrets.io/v1/ExternalSecret'],
  'gateway.networking.k8s.io/v1/HTTPRoute',
  ...['keda.sh/v1alpha1/ScaledObject', 'keda.sh/v1alpha1/TriggerAuthentication'],
  ...['monitoring.coreos.com/v1/PodMonitor', 'monitoring.coreos.com/v1/PrometheusRule'],
  'monitoring.coreos.com/v1/ServiceMonitor',
]
const METADATA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
/** What a check of manifests has no use for. */
const UNUSED = /^(?:description|default|format|x-kubernetes-.*)$/
/** Patterns are written for Go. JavaScript has no flags within a pattern. */
const isUnused = ([key, value]) => UNUSED.test(key) || (key === 'pattern' && value.includes('(?i)'))

const [folder, catalog] = process.argv.slice(2)
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { definitions: published } = read(join(folder, '_definitions.json'))

const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([key, one]) => [key, change(one)]))

/** Returns a schema without what is unused, which allows no fields that it does not name. */
function close(schema) {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, ...rest } = schema
  const isOpen = !properties || rest.additionalProperties || schema['x-kubernetes-preserve-unknown-fields']
  const kept = Object.entries(rest).filter((entry) => !isUnused(entry))
  return {
    ...Object.fromEntries(kept.map(([key, value]) => [key, close(value)])),
    ...(properties && { properties: mapValues(properties, close) }),
    ...(!isOpen && { additionalProperties: false }),
  }
}

const definitions = {}
const kinds = {}

/** Adds a definition and those that it refers to. */
function define(name, schema) {
  if (definitions[name]) return
  definitions[name] = close(schema)
  for (const [, next] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    define(next, published[next])
  }
}

/** Adds the schema of the manifests of a kind, which have no status. */
function addKind(kind, name, { properties: { status, ...properties }, ...schema }) {
  kinds[kind] = name
  define(name, { ...schema, properties })
}

for (const kind of KINDS) {
  const isKind = ({ group, version, kind: name }) => [group, version, name].filter(Boolean).join('/') === kind
  const [name, schema] = Object.entries(published).find(([, one]) =>
    one['x-kubernetes-group-version-kind']?.some(isKind),
  )
  addKind(kind, name, schema)
}
for (const kind of CUSTOM_KINDS) {
  const [group, version, name] = kind.split('/')
  const schema = read(join(catalog, group, `${name.toLowerCase()}_${version}.json`))
  const metadata = { $ref: `#/definitions/${METADATA}` }
  addKind(kind, kind.replaceAll('/', '.'), { ...schema, properties: { ...schema.properties, metadata } })
}

const lines = (object) =>
  Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(object[key])}`)
const print = (object) => `{\n${lines(object).join(',\n')}\n}`
writeFileSync(
  new URL('./schemas.json', import.meta.url),
  `{\n"kinds": ${print(kinds)},\n"definitions": ${print(definitions)}\n}\n`,
)
