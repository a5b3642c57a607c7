import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { findRedisServer } from '@subtext/embedded'
import { findSteadyPort, inheritedEnv, startTool, waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { untilReady } from '@subtext/standalone'
import { listMetrics, PROCESS_METRICS } from '../monitoring/catalogue.ts'
import { ROOT } from '../paths.ts'
import { DOCKERFILE, describeImage } from './dockerfile.ts'

const database = useTestDatabase()
const image = describeImage(DOCKERFILE)

/** A folder that holds what the image holds: no sources and no node_modules. */
let folder: string
let settings: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subtext-image-'))
  await chmod(folder, 0o755)
  for (const path of image.contents) await cp(join(ROOT, path), join(folder, path), { recursive: true })
  const { url, prefix } = testQueue()
  settings = {
    ...inheritedEnv(),
    ...image.env,
    DATABASE_URL: database.url,
    REDIS_URL: url,
    QUEUE_PREFIX: prefix,
    WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
    SHUTDOWN_GRACE_SECONDS: '1',
    HOST: '127.0.0.1',
    PORT: String(await findSteadyPort()),
    MCP_PORT: '0',
    METRICS_PORT: String(await findSteadyPort()),
    LOG_LEVEL: 'info',
  }
})
afterAll(() => rm(folder, { recursive: true }))

/** As in the image, neither the user nor the group may write anything, unless only root can reach Node.js here. */
function unprivileged(): { uid?: number; gid?: number } {
  const isOpen = (path: string): boolean =>
    (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpen(dirname(path)))
  if (process.getuid?.() !== 0 || !isOpen(process.execPath)) return {}
  const [uid, gid] = image.user.split(':').map(Number)
  return { uid, gid }
}

const options = (env: Record<string, string>) => ({ cwd: folder, env, ...unprivileged() })
const start = (program: string, env = settings) =>
  spawn(process.execPath, [`dist/${program}.js`], { ...options(env), stdio: ['ignore', 'pipe', 'pipe'] })
const checkHealth = () => spawnSync(process.execPath, image.healthcheck.slice(1), options(settings)).status

async function stop(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  return (await ended)[0]
}

test('the API serves requests and its documentation', async () => {
  const api = start('api/main')
  const origin = `http://127.0.0.1:${settings.PORT}`
  await untilReady(origin)
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`${origin}${path}`)
    expect([path, response.status]).toEqual([path, 200])
    return response.text()
  }
  await get('/api/v1/openapi.json')
  const page = await get('/api/v1/docs')
  const loaded = [...page.matchAll(/"(\/api\/v1\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(loaded.length).toBeGreaterThan(4)
  for (const path of loaded) await get(path)
  expect(await get('/api/v1/docs/guides/quick-start')).toContain('<h1')
  expect(await get('/api/v1/docs/changelog.md')).toMatch(/^# Changelog/)
  expect(await stop(api)).toBe(0)
})

test.each([
  ['api', 'ready'],
  ['worker', 'ready'],
  ['webhooks', 'ready'],
  // It is ready together with the API that it calls.
  ['mcp', 'live'],
] as const)(
  'the %s process passes the health check of the image and has the metrics of the catalogue',
  async (app, check) => {
    expect(checkHealth()).toBe(1)
    const child = start(`${app}/main`)
    const origin = `http://127.0.0.1:${settings.METRICS_PORT}`
    await waitUntil(`the process is ${check}`, () =>
      fetch(`${origin}/health/${check}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    expect(checkHealth()).toBe(0)
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const names = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
    expect(names).toEqual(expect.arrayContaining(PROCESS_METRICS))
    const ours = listMetrics().filter(({ apps }) => apps.includes(app))
    expect(names.filter((name) => name.startsWith('subtext_')).sort()).toEqual(ours.map(({ name }) => name).sort())
    expect(await stop(child)).toBe(0)
  },
)

const testOnCluster = findRedisServer() ? test : test.skip

testOnCluster.each(['api', 'worker', 'webhooks'])(
  'the %s process refuses Redis Cluster (needs redis-server)',
  async (app) => {
    const [port, busPort] = [await findSteadyPort(), await findSteadyPort()]
    const cluster = await startTool(basename(findRedisServer() ?? ''), (directory) => [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''],
      // By default `port` + 10000, which another program may have.
      ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
    ])
    try {
      await waitUntil('the server is ready', async () =>
        (await cluster.readLog()).includes('Ready to accept connections'),
      )
      const child = start(`${app}/main`, { ...settings, REDIS_URL: `redis://127.0.0.1:${port}` })
      const [lines, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      expect(code).toBe(1)
      expect(lines).toContain(`cannot use Redis at 127.0.0.1:${port} (Redis Cluster is not supported`)
    } finally {
      await cluster.stop()
    }
  },
)

const hasLibraries = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const testOnLinux = hasLibraries ? test : test.skip

testOnLinux.each(['typst-ts-node-compiler', 'resvgjs'])(
  'the library %s comes with the image and loads (needs Linux on x64 or arm64)',
  (name) => {
    const assets = join(folder, 'dist/documents')
    const file = readdirSync(assets).find((each) => each.startsWith(name) && each.endsWith('.node'))
    const load = ['-p', `Object.keys(require(${JSON.stringify(join(assets, file ?? `no ${name}`))})).length > 0`]
    const { stdout, stderr } = spawnSync(process.execPath, load, { ...options(settings), encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['true\n', ''])
  },
)

test('migrations come with the image', async () => {
  const child = start('standalone/migrate')
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect([code, out]).toEqual([0, 'The database is up to date.\n'])
})

test('the purge comes with the image', async () => {
  await database.db.query(
    `INSERT INTO thumbnails (video_id, standard, maxres, checked_at)
     SELECT 'video-' || n, true, true, now() - make_interval(days => 30 * (n % 3)) FROM generate_series(1, 9) n`,
  )
  const purge = async () => {
    const child = start('worker/purge')
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return [code, out]
  }
  expect(await purge()).toEqual([0, 'Deleted 6 thumbnails.\n'])
  expect(await purge()).toEqual([0, 'There was nothing to delete.\n'])
})

test.each(['standalone/admin', 'worker/canary'])('the help of %s names the command as it was called', (program) => {
  const help = (env: Record<string, string>): string =>
    spawnSync(process.execPath, [`dist/${program}.js`, '--help'], {
      ...options({ ...settings, ...env }),
      encoding: 'utf8',
    }).stdout
  expect(help({ npm_lifecycle_event: 'test' })).toMatch(`Usage: node dist/${program}.js `)
  const script = basename(program)
  expect(help({ npm_lifecycle_event: script })).toMatch(`Usage: npm run --silent ${script} -- `)
})

test('admin commands come with the image', async () => {
  const args = ['dist/standalone/admin.js', 'create-key', '--email', 'you@example.org', '--plan', 'pro']
  const child = spawn(process.execPath, args, { ...options(settings), stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(code).toBe(0)
  expect(out).toMatch(/^sk_\w+\n$/)
})

test('without the embedded servers the service asks for the settings that are missing', async () => {
  const child = start('standalone/start', { ...settings, DATABASE_URL: '', REDIS_URL: '' })
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(code).toBe(1)
  expect(message).toMatch(/^DATABASE_URL and REDIS_URL must be set: .*\n$/)
})
