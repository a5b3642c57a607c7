import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { findFreePort } from '@subtext/embedded'
import { inheritedEnv } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { untilReady } from '@subtext/server'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const database = useTestDatabase()

/** A folder that holds `dist/` and nothing else: no sources and no node_modules, as in an image. */
let image: string
let settings: Record<string, string>

beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), 'subtext-image-'))
  await cp(join(ROOT, 'dist'), join(image, 'dist'), { recursive: true })
  const { url, prefix } = testQueue()
  settings = {
    ...inheritedEnv(),
    DATABASE_URL: database.url,
    REDIS_URL: url,
    QUEUE_PREFIX: prefix,
    WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
    SHUTDOWN_GRACE_SECONDS: '1',
    HOST: '127.0.0.1',
    PORT: String(await findFreePort()),
    MCP_PORT: '0',
    LOG_LEVEL: 'info',
  }
})
afterAll(() => rm(image, { recursive: true }))

const start = (program: string, env: Record<string, string>) =>
  spawn(process.execPath, [`dist/${program}.js`], { cwd: image, env, stdio: ['ignore', 'pipe', 'pipe'] })

test('the API serves requests and its documentation from dist/ alone', async () => {
  const api = start('api/main', settings)
  const ended = once(api, 'exit')
  try {
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
  } finally {
    api.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})

test.each(['worker', 'webhooks', 'mcp'])('the %s app starts from dist/ alone', async (app) => {
  const child = start(`${app}/main`, settings)
  const ended = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  expect(JSON.parse(String(line))).toMatchObject({ message: 'ready', service: app })
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('the migrate program and the migrations are part of dist/', async () => {
  const child = start('server/migrate', settings)
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect([code, out]).toEqual([0, 'The database is up to date.\n'])
})

test('the start without embedded servers names the settings that are missing', async () => {
  const child = start('server/start', { ...settings, DATABASE_URL: '', REDIS_URL: '' })
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(code).toBe(1)
  expect(message).toMatch(/^DATABASE_URL and REDIS_URL must be set: .*\n$/)
})

test('without the embedded servers the demo says what it needs', async () => {
  const child = start('server/demo', settings)
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, message]).toEqual([1, 'The demo needs the development dependencies. Run `npm ci` first.\n'])
})
