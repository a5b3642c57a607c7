import { spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

interface Rule {
  name: string
  to: { pathNot?: string }
}
interface Report {
  modules: { source: string; dependencies: { rules?: { name: string }[] }[] }[]
}

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as { forbidden: Rule[] }
const RULES = forbidden.map(({ name }) => name)

const PACKAGES = RULES.flatMap((name) => /^(.+)(?<!-test)-imports$/.exec(name)?.slice(1) ?? [])
const LEAVES = ['bench', 'build', 'chaos', 'deployment', 'system-tests']
const SUPPORT = ['testbed']
const APPS = ['api', 'worker', 'webhooks', 'standalone']
const VENDORS = RULES.flatMap((name) => /^vendor-(.+)(?<!-in-tests)$/.exec(name)?.slice(1) ?? [])
const FOLDERS = [
  ...[...PACKAGES, ...LEAVES, ...SUPPORT].map((name) => `packages/${name}`),
  ...APPS.map((name) => `apps/${name}`),
]

/** Returns a package that the rule of a layer forbids to import. */
function findForbidden(rule: string): string {
  const allowed = new RegExp(forbidden.find(({ name }) => name === rule)?.to.pathNot ?? '')
  const found = PACKAGES.find((name) => !allowed.test(`packages/${name}/src/index.ts`))
  if (!found) throw new Error(`${rule} forbids nothing.`)
  return `@subtext/${found}`
}

/** A violation of each rule: the file to plant, and what it imports. */
const PLANTS: Record<string, [file: string, specifier: string]> = {
  resolvable: ['packages/core/src/unresolved.ts', '@subtext/nowhere'],
  'known-packages': ['packages/unknown/src/unknown.ts', '@subtext/contracts'],
  'through-the-front-door': ['packages/core/src/deep.ts', '../../db/src/inside.ts'],
  'test-helpers-are-for-tests': ['packages/core/src/helped.ts', '@subtext/db/testing'],
  'apps-are-leaves': ['packages/core/src/app.test.ts', '@subtext/api/env'],
  'leaves-are-leaves': ['packages/bench/src/leaf.ts', '@subtext/chaos'],
  'testbed-is-for-leaves': ['apps/api/src/bed.test.ts', '@subtext/testbed'],
  'testbed-knows-only-standalone': ['packages/testbed/src/app.ts', '@subtext/api/env'],
  'apps-do-not-know-each-other': ['apps/worker/src/app.test.ts', '@subtext/api/env'],
  'standalone-knows-only-settings': ['apps/standalone/src/app.ts', '@subtext/api'],
  'store-through-core': ['apps/api/src/handlers/context.ts', '@subtext/db'],
  'prisma-is-for-people': ['apps/worker/src/context.ts', '@subtext/db/prisma'],
  'statements-stay-in-their-subject': ['packages/core/src/metrics.ts', './usage/usage-sql.ts'],
  'listed-vendors': ['packages/core/src/vendor.ts', 'left-pad'],
  ...Object.fromEntries(
    PACKAGES.flatMap((name) => [
      [`${name}-imports`, [`packages/${name}/src/planted.ts`, findForbidden(`${name}-imports`)]],
      [`${name}-test-imports`, [`packages/${name}/src/planted.test.ts`, findForbidden(`${name}-test-imports`)]],
    ]),
  ),
  // No vendor is allowed in sample-platform.
  ...Object.fromEntries(
    VENDORS.flatMap((vendor) => [
      [`vendor-${vendor}`, [`packages/sample-platform/src/${vendor.replace('/', '-')}.ts`, vendor]],
      [
        `vendor-${vendor}-in-tests`,
        [`packages/sample-platform/src/testing/inner/${vendor.replace('/', '-')}.ts`, vendor],
      ],
    ]).filter(([rule]) => RULES.includes(String(rule))),
  ),
}

const ENTRIES = { '.': 'index', './testing': 'testing/index', './env': 'env', './prisma': 'prisma' }

const FORMS = {
  'import type': (specifier: string) => `import type { A } from '${specifier}'\nexport const a: A = 1`,
  'an inline type': (specifier: string) => `import { type A } from '${specifier}'\nexport const a: A = 1`,
  'export from': (specifier: string) => `export * from '${specifier}'`,
  'export type from': (specifier: string) => `export type { A } from '${specifier}'`,
  'a dynamic import': (specifier: string) => `export const a = await import('${specifier}')`,
}
const nameOf = (form: string): string => `packages/render/src/${form.replaceAll(' ', '-')}.ts`

let violations: Map<string, string[]>

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'subtext-rules-'))
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  try {
    await cp(join(ROOT, 'tsconfig.json'), join(root, 'tsconfig.json'))
    await mkdir(join(root, 'node_modules/@subtext'), { recursive: true })
    for (const folder of FOLDERS) {
      const name = `@subtext/${folder.split('/')[1]}`
      const exports = Object.fromEntries(Object.entries(ENTRIES).map(([path, file]) => [path, `./src/${file}.ts`]))
      await write(`${folder}/package.json`, JSON.stringify({ name, type: 'module', exports }))
      for (const file of [...Object.values(ENTRIES), 'inside']) {
        await write(`${folder}/src/${file}.ts`, 'export type A = 1\n')
      }
      await symlink(join(root, folder), join(root, 'node_modules', name))
    }
    for (const vendor of [...VENDORS, 'left-pad']) {
      await write(`node_modules/${vendor}/package.json`, JSON.stringify({ name: vendor, main: 'index.js' }))
      await write(`node_modules/${vendor}/index.js`, '')
    }
    for (const [file, specifier] of Object.values(PLANTS)) await write(file, FORMS['import type'](specifier))
    await write('packages/core/src/usage/usage-sql.ts', 'export type A = 1\n')
    await write('packages/core/src/left.ts', FORMS['import type']('./right.ts'))
    await write('packages/core/src/right.ts', FORMS['import type']('./left.ts'))
    for (const [form, build] of Object.entries(FORMS)) await write(nameOf(form), build('@subtext/youtube'))
    violations = await cruise(root)
  } finally {
    await rm(root, { recursive: true })
  }
})

/** Returns the rules that each file violates. */
async function cruise(root: string): Promise<Map<string, string[]>> {
  const depcruise = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [depcruise, 'packages', 'apps', '--config', join(ROOT, '.dependency-cruiser.cjs'), '-T', 'json']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const { modules } = (await json(child.stdout)) as Report
  return new Map(
    modules.map(({ source, dependencies }) => [
      source,
      dependencies.flatMap(({ rules = [] }) => rules.map(({ name }) => name)),
    ]),
  )
}

test.each(Object.entries(PLANTS))('reports a violation of %s', (rule, [file]) => {
  expect(violations.get(file)).toContain(rule)
})

test('reports a violation of no-cycles', () => {
  expect(violations.get('packages/core/src/left.ts')).toContain('no-cycles')
})

test('plants a violation of every rule', () => {
  expect([...Object.keys(PLANTS), 'no-cycles'].sort()).toEqual([...RULES].sort())
})

test.each(Object.keys(FORMS))('treats %s as an import', (form) => {
  expect(violations.get(nameOf(form))).toContain('render-imports')
})

test('reports nothing for a file without a violation', () => {
  expect(violations.get('packages/core/src/index.ts')).toEqual([])
})

// dependency-cruiser cannot read the files of the dashboard.
describe.each(['apps/dashboard/src/ui', 'examples/src'])('Biome, in %s,', (folder) => {
  const REFUSED = ['@subtext/db', '@subtext/db/testing', '../../../../packages/db/src/index.ts', '../../api/src/env.ts']
  const ACCEPTED = ['@subtext/sdk', './beside.ts', '../api/client.ts', 'react']

  test('refuses every package of the repository but the SDK, in every form', async () => {
    const root = await mkdtemp(join(tmpdir(), 'subtext-rules-'))
    try {
      await cp(join(ROOT, 'biome.json'), join(root, 'biome.json'))
      await mkdir(join(root, folder), { recursive: true })
      const expected: string[] = []
      for (const [index, specifier] of [...REFUSED, ...ACCEPTED].entries()) {
        for (const [form, build] of Object.entries(FORMS)) {
          const file = `${folder}/${index}-${form.replaceAll(' ', '-')}.tsx`
          await writeFile(join(root, file), build(specifier))
          if (REFUSED.includes(specifier)) expected.push(file)
        }
      }
      expect(lint(root, 'style/noRestrictedImports')).toEqual(expected.sort())
    } finally {
      await rm(root, { recursive: true })
    }
  })
})

test('Biome refuses a development dependency in the source of a package, but not in its tests', async () => {
  const root = await mkdtemp(join(tmpdir(), 'subtext-rules-'))
  try {
    await cp(join(ROOT, 'biome.json'), join(root, 'biome.json'))
    const manifest = { dependencies: { zod: '1' }, devDependencies: { ajv: '1' } }
    await mkdir(join(root, 'packages/core/src/testing'), { recursive: true })
    await writeFile(join(root, 'packages/core/package.json'), JSON.stringify(manifest))
    const files = ['refused.ts', 'allowed.test.ts', 'testing/allowed.ts'].map((name) => `packages/core/src/${name}`)
    for (const file of files) await writeFile(join(root, file), "import 'ajv'\n")
    await writeFile(join(root, 'packages/core/src/allowed.ts'), "import 'zod'\n")
    expect(lint(root, 'correctness/noUndeclaredDependencies')).toEqual(['packages/core/src/refused.ts'])
  } finally {
    await rm(root, { recursive: true })
  }
})

/** Returns the files in which Biome finds a violation of a rule. */
function lint(root: string, rule: string): string[] {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const options = [`--only=${rule}`, '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json']
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options, '.'], { cwd: root, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { path: string } }[] }
  return diagnostics.map(({ location }) => location.path).sort()
}
