import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inheritedEnv } from '@subtext/embedded/testing'

const SCRIPT = resolve(fileURLToPath(import.meta.url), '../check-packages.mjs')
const ROOT = resolve(SCRIPT, '../../../..')
const ARCHITECTURE = 'docs/contributing/architecture.md'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'subtext-packages-'))
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string | object): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

function run(...command: string[]) {
  const env = { ...inheritedEnv(), TURBO_TELEMETRY_DISABLED: '1' }
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' })
  return { status, stderr }
}

test('refuses a package without a README, and one that the architecture page does not name', async () => {
  for (const folder of ['packages/fine', 'packages/silent', 'apps/silent-too']) await put(`${folder}/package.json`, {})
  for (const folder of ['packages/fine', 'apps/silent-too']) await put(`${folder}/README.md`, '# x\n')
  await put(ARCHITECTURE, '| `packages/fine` |\n| `packages/silent` |\n')
  expect(run(SCRIPT, root)).toEqual({
    status: 1,
    stderr: `packages/silent has no README.md.\n${ARCHITECTURE} does not name apps/silent-too.\n`,
  })
  await put('packages/silent/README.md', '# x\n')
  await put(ARCHITECTURE, '`packages/fine`, `packages/silent`, `apps/silent-too`\n')
  expect(run(SCRIPT, root)).toEqual({ status: 0, stderr: '' })
})

test('the build refuses a circle of packages', async () => {
  const { tasks } = JSON.parse((await readFile(join(ROOT, 'turbo.json'), 'utf8')).replace(/^ *\/\/ .*$/gm, ''))
  await put('turbo.json', { tasks: { build: tasks.build } })
  await put('package.json', { name: 'root', packageManager: 'npm@11.19.1', workspaces: ['packages/*'] })
  await put('package-lock.json', { name: 'root', lockfileVersion: 3, packages: {} })
  const build = () => run(join(ROOT, 'node_modules/turbo/bin/turbo'), 'run', 'build')
  await put('packages/a/package.json', { name: 'a', scripts: { build: 'true' }, devDependencies: { b: '*' } })
  await put('packages/b/package.json', { name: 'b', scripts: { build: 'true' } })
  expect(build()).toMatchObject({ status: 0 })
  await put('packages/b/package.json', { name: 'b', scripts: { build: 'true' }, dependencies: { a: '*' } })
  expect(build()).toEqual({ status: 1, stderr: expect.stringContaining('Cyclic dependency detected') })
})
