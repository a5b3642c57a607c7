import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'

const load = (name: string) => import(new URL(name, import.meta.url).href)
const { SOURCES } = await load('./build-elsewhere.mjs')
const { recordSources } = await load('./sources.mjs')
const { ROOT } = await load('./root.mjs')

/** Takes the place of npm: installs nothing, and builds by copying a source. */
const NPM = `[ "$1" = ci ] && exit
mkdir dist dist-dashboard; cp apps/source.ts dist/main.js; find . > dist/listing`

let folder: string
let root: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subtext-install-test-'))
  root = join(folder, 'root')
  await put('root/package.json', '{}')
  await put('root/apps/source.ts', 'first')
  await mkdir(join(folder, 'tmp'))
})
afterEach(async () => {
  await chmod(root, 0o755)
  await rm(folder, { recursive: true })
})

async function put(path: string, content: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content, { mode })
}

const EVAL = `
  const [module, root, target, user] = process.argv.slice(1)
  const { ensureBuilt } = await import(module)
  if (user && process.geteuid() === 0) process.seteuid(Number(user))
  await ensureBuilt(root, [target]).catch((error) => {
    console.error(error.message)
    process.exitCode = error.exitCode ?? 1
  })`

/** Brings a folder up to date in a process of its own, with \`npm\` as given. */
async function start(npm: string, target = 'dist', user = '') {
  await put('bin/npm', `#!/bin/sh\n${npm}\n`, 0o755)
  const module = new URL('./ensure-built.mjs', import.meta.url).href
  const args = ['--input-type=module', '--eval', EVAL, module, root, target, user]
  const path = [join(folder, 'bin'), inheritedEnv().PATH].join(delimiter)
  const env = { ...inheritedEnv(), PATH: path, TMPDIR: join(folder, 'tmp') }
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

async function ensureBuilt(npm = 'exit 1', target?: string, user?: string): Promise<{ code: number; message: string }> {
  const child = await start(npm, target, user)
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, message }
}

const builtFrom = (): Promise<string> => readFile(join(root, 'dist/main.js'), 'utf8')
/** Nothing is left of a build but its result. */
async function expectCleanUp(): Promise<void> {
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
  expect((await readdir(root)).filter((name) => name.startsWith('dist.'))).toEqual([])
}

describe('Without build tools and without dist/', () => {
  test('builds a copy that holds the sources and nothing else', async () => {
    const others = ['.env', '.env.local', 'backup.sql', '.data/rows', 'node_modules/a.js', 'apps/.env', 'apps/dist/a']
    for (const name of others) await put(`root/${name}`, 'secret')
    expect(await ensureBuilt(NPM)).toMatchObject({ code: 0 })
    expect(await builtFrom()).toBe('first')
    const listing = await readFile(join(root, 'dist/listing'), 'utf8')
    expect(listing).toContain('./apps/source.ts')
    expect(listing).not.toMatch(/env|sql|data|node_modules|apps\/dist/)
    await expectCleanUp()
  })

  test('copies every file that the build reads', async () => {
    const inputs = Object.keys(JSON.parse(await readFile(join(ROOT, 'dist/sources.json'), 'utf8')))
    expect(inputs.length).toBeGreaterThan(100)
    expect(inputs.filter((path) => !SOURCES.includes(path.split('/')[0]))).toEqual([])
  })

  test('accepts the build that another process has put there in the meantime', async () => {
    const { code } = await ensureBuilt(`${NPM}\nmkdir '${root}/dist'; printf other > '${root}/dist/main.js'`)
    expect([code, await builtFrom()]).toEqual([0, 'other'])
    await expectCleanUp()
  })

  test('says what failed, and leaves nothing behind', async () => {
    expect(await ensureBuilt('echo no network >&2; exit 7')).toEqual({
      code: 1,
      message: expect.stringMatching(
        /^no network\ndist\/ could not be built\. Run `npm ci && npm run build` first\.$/m,
      ),
    })
    expect(existsSync(join(root, 'dist'))).toBe(false)
    await expectCleanUp()
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the build and what it has started, and leaves nothing behind', async (signal, expected) => {
    const child = await start(`echo $$ > '${folder}/pid.new'; mv '${folder}/pid.new' '${folder}/pid'; exec sleep 600`)
    const ended = once(child, 'exit')
    await waitUntil('npm runs', () => existsSync(join(folder, 'pid')))
    child.kill(signal)
    expect(await ended).toEqual([expected, null])
    const npm = Number(await readFile(join(folder, 'pid'), 'utf8'))
    expect(() => process.kill(npm, 0)).toThrow('ESRCH')
    expect(existsSync(join(root, 'dist'))).toBe(false)
    await expectCleanUp()
  })

  test('refuses to run programs for developers', async () => {
    expect(await ensureBuilt(NPM, 'dist-dev')).toEqual({
      code: 1,
      message: 'This command needs the development dependencies. Run `npm ci` first.\n',
    })
  })
})

describe('With a build', () => {
  /** An account other than root, which may write everywhere. */
  const NOBODY = '65534'
  const WARNING = 'running dist/ as it is, although the sources have changed: run `npm ci && npm run build`\n'

  beforeEach(async () => {
    const [name, record] = recordSources(root, { inputs: { 'apps/source.ts': {} }, outputs: {} })
    await put(`root/dist/${name}`, record)
    await put('root/dist/main.js', 'old')
  })

  test('runs it as it is where the build tools are missing, also without the sources', async () => {
    expect(await ensureBuilt()).toEqual({ code: 0, message: '' })
    await rm(join(root, 'apps'), { recursive: true })
    expect(await ensureBuilt()).toEqual({ code: 0, message: '' })
  })

  test('warns of sources that have changed where the build tools are missing', async () => {
    await put('root/apps/source.ts', 'second')
    expect(await ensureBuilt()).toEqual({ code: 0, message: WARNING })
    expect(await builtFrom()).toBe('old')
  })

  test('runs it with the same warning in a folder that cannot be written', async () => {
    await put('root/node_modules/turbo/bin/turbo', 'process.exit(1)')
    await put('root/apps/source.ts', 'second')
    await chmod(folder, 0o755)
    await chmod(root, 0o555)
    expect(await ensureBuilt('exit 1', 'dist', NOBODY)).toEqual({ code: 0, message: WARNING })
    expect(await ensureBuilt('exit 1', 'dist-dashboard', NOBODY)).toEqual({
      code: 1,
      message: expect.stringMatching(/^EACCES/),
    })
  })
})
