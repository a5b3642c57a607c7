import { findViolations } from '../finding.ts'
import { type Manifest, nameOf } from './manifest.ts'
import { MISTAKES, type Planted } from './mistakes.ts'
import { POLICIES } from './policies.ts'
import { findKubectl, findKustomize, render } from './render.ts'

const kustomize = findKustomize()
const kubectl = findKubectl()
const FOLDERS = ['base', 'overlays/single-node', 'overlays/production'] as const

const describeRendered = kustomize ? describe : describe.skip

describeRendered(`the manifests${kustomize ? '' : ' (need kustomize or kubectl)'}`, () => {
  let rendered: Record<string, Manifest[]>
  beforeAll(() => {
    rendered = Object.fromEntries(FOLDERS.map((folder) => [folder, kustomize ? render(kustomize, folder) : []]))
  })

  test.each(FOLDERS)('%s is valid and violates no policy', (folder) => {
    expect(rendered[folder]?.length).toBeGreaterThan(0)
    expect(findViolations(rendered[folder] ?? [], POLICIES)).toEqual([])
  })

  test('the route of the Gateway API takes the place of the Ingress, for the same host', () => {
    const production = rendered['overlays/production'] ?? []
    const manifests = kustomize
      ? render(kustomize, 'overlays/production', { 'components/ingress': 'components/http-route' })
      : []
    expect(findViolations(manifests, POLICIES)).toEqual([])
    expect(manifests.map(({ kind }) => kind)).not.toContain('Ingress')
    const [host] = production.flatMap(({ spec }) => spec?.tls?.flatMap(({ hosts }) => hosts) ?? [])
    const route = manifests.find(({ kind }) => kind === 'HTTPRoute')
    expect(route?.spec).toMatchObject({ hostnames: [host] })
    for (const rule of route?.spec?.rules ?? []) rule.backendRefs = [{ name: 'apis' }]
    expect(findViolations(manifests, POLICIES)).toContainEqual(expect.objectContaining({ policy: 'references' }))
  })

  test.each(FOLDERS)('%s: a change of the settings does not change the Job, which cannot be changed', (folder) => {
    const migrate = rendered[folder]?.find((one) => nameOf(one) === 'Job/migrate')
    const references = JSON.stringify(migrate).match(/"settings-[^"]*"/g)
    expect([migrate?.kind, references]).toEqual(['Job', null])
  })

  test.each(MISTAKES)('$policy notices $description', ({ policy, plant }) => {
    const manifests = structuredClone(rendered['overlays/production'] ?? [])
    plant((name) => findDocument(manifests, name))
    expect(findViolations(manifests, POLICIES).map((finding) => finding.policy)).toContain(policy)
  })

  test('every policy has a mistake that it notices', () => {
    expect([...new Set(MISTAKES.map(({ policy }) => policy))].sort()).toEqual(POLICIES.map(({ name }) => name).sort())
  })

  const testWithKubectl = kubectl ? test : test.skip
  testWithKubectl('kubectl renders the same documents (needs kubectl)', () => {
    if (kubectl) expect(render(kubectl, 'overlays/production')).toEqual(rendered['overlays/production'])
  })
})

/** Finds a document by its kind and name; a generated name goes on after a hyphen. */
function findDocument(manifests: Manifest[], name: string): Planted {
  const manifest =
    manifests.find((one) => nameOf(one) === name) ?? manifests.find((one) => nameOf(one).startsWith(`${name}-`))
  const spec = manifest?.spec ?? {}
  const template = spec.template ?? spec.jobTemplate?.spec.template ?? { metadata: {}, spec: { containers: [] } }
  const [app] = template.spec.containers
  if (!manifest) throw new Error(`There is no ${name}.`)
  return { manifest, spec, template, app: app ?? { name: '', image: '' } }
}
