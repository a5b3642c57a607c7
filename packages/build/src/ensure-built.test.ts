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
const { readStamp, writeStamp } = await load('./freshness.mjs')
const { ROOT } = await load('./root.mjs')

/** Replaces the build in the copy: refuses to continue without `--here`, and copies a source to `dist/`. */
const BUILD = `
  import { cpSync, readdirSync, writeFileSync } from 'node:fs'
  if (process.argv[2] !== '--here') process.exit(1)
  cpSync('apps/source.ts', 'dist/main.js')
  writeFileSync('dist/copied.json', JSON.stringify(readdirSync('.')))`

let folder: string
let root: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subtext-install-test-'))
  root = join(folder, 'root')
  await put('root/package.json', '{}')
  await put('root/apps/source.ts', 'first')
  await put('root/packages/build/src/build.mjs', BUILD)
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
  const [module, root, user] = process.argv.slice(1)
  const { ensureBuilt } = await import(module)
  if (user && process.geteuid() === 0) process.seteuid(Number(user))
  await ensureBuilt(root, (text) => console.error(text), 'dist').catch((error) => {
    console.error(error.message)
    process.exitCode = error.exitCode ?? 1
  })`

/** Brings \`dist/\` up to date in a process of its own, with \`npm\` as given. */
async function start(npm: string, user = '') {
  await put('bin/npm', `#!/bin/sh\n${npm}\n`, 0o755)
  const module = new URL('./ensure-built.mjs', import.meta.url).href
  const args = ['--input-type=module', '--eval', EVAL, module, root, user]
  const path = [join(folder, 'bin'), inheritedEnv().PATH].join(delimiter)
  const env = { ...inheritedEnv(), PATH: path, TMPDIR: join(folder, 'tmp') }
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

async function ensureBuilt(npm = 'exit 1', user?: string): Promise<{ code: number; message: string }> {
  const child = await start(npm, user)
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, message }
}

const isBuilt = (): boolean => existsSync(join(root, 'dist/main.js'))
const builtFrom = (): Promise<string> => readFile(join(root, 'dist/main.js'), 'utf8')
/** Nothing is left of a build but its result. */
async function expectCleanUp(): Promise<void> {
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
  expect((await readdir(root)).filter((name) => name.startsWith('dist.'))).toEqual([])
}

describe('Without build tools and without dist/', () => {
  test('builds a copy that holds the sources and nothing else', async () => {
    for (const name of [
      '.env',
      '.env.local',
      'backup.sql',
      '.data/rows',
      'node_modules/a.js',
      'apps/.env',
      'apps/dist/a',
    ]) {
      await put(`root/${name}`, 'secret')
    }
    expect(await ensureBuilt('find . > listing; cat listing >&2')).toEqual({
      code: 0,
      message: expect.not.stringMatching(/env|sql|data|node_modules|apps\/dist/),
    })
    expect(await builtFrom()).toBe('first')
    expect(JSON.parse(await readFile(join(root, 'dist/copied.json'), 'utf8'))).toContain('apps')
    await expectCleanUp()
  })

  test('copies every file that the build reads', () => {
    const inputs = Object.keys(readStamp(ROOT, 'dist').inputs)
    expect(inputs.length).toBeGreaterThan(100)
    expect(inputs.filter((path) => !SOURCES.includes(path.split('/')[0]))).toEqual([])
  })

  test('two processes that start at once build once', async () => {
    const npm = `echo >> '${folder}/runs'`
    const [first, second] = await Promise.all([ensureBuilt(npm), ensureBuilt(npm)])
    expect([first.code, second.code]).toEqual([0, 0])
    expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('\n')
    await expectCleanUp()
  })

  test('accepts the build that another process has put there in the meantime', async () => {
    const { code } = await ensureBuilt(`mkdir '${root}/dist'; printf other > '${root}/dist/main.js'`)
    expect([code, await builtFrom()]).toEqual([0, 'other'])
    await expectCleanUp()
  })

  test('says what failed, and leaves nothing behind', async () => {
    expect(await ensureBuilt('exit 7')).toEqual({
      code: 1,
      message: expect.stringMatching(
        /^dist\/ could not be built: `npm ci .*` failed\. Run `npm ci && npm run build` first\.$/m,
      ),
    })
    expect(isBuilt()).toBe(false)
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
    expect(isBuilt()).toBe(false)
    await expectCleanUp()
  })

  test('a build that must happen here says which tools it needs', async () => {
    const { ensureBuilt } = await load('./ensure-built.mjs')
    await expect(ensureBuilt(root, () => {}, 'dist', { here: true })).rejects.toThrow('The build needs esbuild')
    await expectCleanUp()
  })
})

test('a build depends on everything that decides what it contains', () => {
  expect(Object.keys(readStamp(ROOT, 'dist').inputs)).toEqual(
    expect.arrayContaining([
      ...['package-lock.json', 'tsconfig.json', 'prisma/schema.prisma', 'prisma/migrations'],
      ...['apps/api/src/main.ts', 'apps/api/package.json', 'packages/db/package.json'],
      ...['bundle', 'freshness', 'generate-client', 'programs'].map((name) => `packages/build/src/${name}.mjs`),
    ]),
  )
})

describe('With a build that is older than the sources', () => {
  /** An account other than root, which may write everywhere. */
  const NOBODY = '65534'

  beforeEach(async () => {
    await put('root/dist/main.js', 'old')
    const soon = Date.now() + 60_000
    writeStamp(root, 'dist', { inputs: ['apps/source.ts'], outputs: ['main.js'], startedAt: soon })
    await put('root/apps/source.ts', 'second')
  })

  test('runs it with a warning where the build tools are missing', async () => {
    expect(await ensureBuilt()).toEqual({
      code: 0,
      message: 'running dist/ as it is, although the sources have changed: run `npm ci && npm run build`\n',
    })
    expect(await builtFrom()).toBe('old')
  })

  test('runs it with a warning in a folder that cannot be written', async () => {
    for (const tool of ['esbuild', '@prisma/client-generator-ts', '@prisma/client'])
      await put(`root/node_modules/${tool}/package.json`, '{}')
    await chmod(folder, 0o755)
    await chmod(root, 0o555)
    expect(await ensureBuilt('exit 1', NOBODY)).toEqual({
      code: 0,
      message: expect.stringMatching(/^running dist\/ as it is, which is older than the sources: EACCES.*\n$/),
    })
    expect(await builtFrom()).toBe('old')
  })

  test('fails in a folder that cannot be written if there is no build at all', async () => {
    await rm(join(root, 'dist'), { recursive: true })
    await chmod(folder, 0o755)
    await chmod(root, 0o555)
    expect(await ensureBuilt('exit 1', NOBODY)).toEqual({ code: 1, message: expect.stringMatching(/^EACCES/) })
  })
})
