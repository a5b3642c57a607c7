import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DefaultResult } from '@subtext/contracts'
import { findSteadyPort, waitUntil } from '@subtext/embedded/testing'
import { SAMPLE_TALKS, startVideoPlatform, type VideoPlatform } from '@subtext/fakes'
import {
  type Client,
  createClient,
  runAdmin,
  type StartedService,
  selectRunning,
  startCommand,
  watchUrl,
} from '@subtext/testbed'

/** More than `npm start` allows by default. */
const GRACE_SECONDS = 6

let platform: VideoPlatform
let dataDir: string
let settings: Record<string, string>
let service: StartedService
/** The port of another program. */
let busyPort: string
let client: Client

beforeAll(async () => {
  platform = await startVideoPlatform()
  busyPort = new URL(platform.origin).port
  dataDir = await mkdtemp(join(tmpdir(), 'subtext-start-'))
  settings = {
    SUBTEXT_DATA_DIR: dataDir,
    PORT: String(await findSteadyPort()),
    YOUTUBE_ORIGIN: platform.origin,
    SAMPLE_VIDEOS: 'false',
    JOB_LEASE_SECONDS: '3',
    SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
    LOG_LEVEL: 'warn',
  }
  service = await startCommand(settings)
})
afterAll(async () => {
  await service?.close()
  await platform.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('prints one line, with the address at which it serves', () => {
  expect(service.printed()).toBe(`ready http://127.0.0.1:${settings.PORT}/api/v1\n`)
})

test('runs beside the admin command, which creates a key and prints nothing else', async () => {
  const { code, out } = await runAdmin(['create-key', '--email', 'a@example.org', '--plan', 'pro'], settings)
  expect(out).toMatch(/^sk_[0-9a-f]{64}\n$/)
  expect(code).toBe(0)
  client = createClient(`http://127.0.0.1:${settings.PORT}`, { key: out.trim(), userId: '', email: 'a@example.org' })
})

test('invites people to the service that is running, whatever its port', async () => {
  const { PORT, ...others } = settings
  for (const environment of [others, { ...others, PORT: '1' }]) {
    const { code, out } = await runAdmin(['invite', '--email', 'b@example.org'], environment)
    expect([code, out]).toEqual([0, `http://127.0.0.1:${PORT}/sign-up?email=b%40example.org\n`])
  }
})

test('signs with a secret that the admin command created, encrypted with a key that only its owner can read', async () => {
  const { code, out } = await runAdmin(['rotate-webhook-secret', '--email', 'a@example.org'], settings)
  expect([code, out]).toEqual([0, expect.stringMatching(/^whsec_[\w+/]{43}=\n$/)])
  const { data } = await client.get<{ prefix: string }>('/webhooks/secret')
  expect(data.prefix).toBe(out.slice(0, 10))
  expect((await stat(join(dataDir, 'webhook-secret.key'))).mode & 0o777).toBe(0o600)
})

test('leaves the admin command to refuse a wrong option and to name it', async () => {
  const { code, out, err } = await runAdmin(['create-key', '--email', 'a@example.org', '--plan', 'gold'], settings)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('--plan')
})

test('processes a video from its submission to its result', async () => {
  const jobId = await client.submit({ url: watchUrl(SAMPLE_TALKS.chinese.id) })
  expect((await client.follow(jobId)).status).toBe('completed')
  const { data } = await client.get(`/videos/result/${jobId}`)
  expect(DefaultResult.parse(data).transcript.language).toBe('zh-Hans')
})

test('replaces a worker that is killed during a job, and the job completes', async () => {
  const { id } = SAMPLE_TALKS.french
  platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang' })
  const jobId = await client.submit({ url: watchUrl(id) })
  await platform.waitForRequest({ kind: 'timedtext', videoId: id })
  const worker = service.children().find(({ command }) => command.includes('dist/worker/'))
  if (!worker) throw new Error('The service runs no worker.')
  process.kill(worker.pid, 'SIGKILL')
  expect((await client.follow(jobId)).status).toBe('completed')
  expect(service.children().find(({ command }) => command.includes('dist/worker/'))?.pid).not.toBe(worker.pid)
})

test('stops everything on Ctrl-C during a job, which has its grace, and which the next start completes', async () => {
  const { id } = SAMPLE_TALKS.korean
  platform.failNext({ kind: 'timedtext', videoId: id, outcome: 'hang' })
  const jobId = await client.submit({ url: watchUrl(id) })
  await platform.waitForRequest({ kind: 'timedtext', videoId: id })
  const children = service.children()
  expect(children.length).toBeGreaterThanOrEqual(5)

  const interrupted = performance.now()
  expect(await service.interrupt()).toBe(0)
  expect(performance.now() - interrupted).toBeGreaterThan(GRACE_SECONDS * 1_000)
  await waitUntil('no process is left', () => selectRunning(children).length === 0)

  service = await startCommand(settings)
  expect((await client.follow(jobId)).status).toBe('completed')
})

test('leaves no app behind when it is killed, and the next start takes over its servers and data', async () => {
  const children = service.children()
  await service.crash()
  const apps = children.filter(({ command }) => command.endsWith('/main.js'))
  expect(apps.map(({ command }) => command.split('/').at(-2)).sort()).toEqual(['api', 'mcp', 'webhooks', 'worker'])
  await waitUntil('the apps have ended', () => selectRunning(apps).length === 0)

  const nowhere = `http://127.0.0.1:${await findSteadyPort()}`
  service = await startCommand({
    ...settings,
    YOUTUBE_ORIGIN: nowhere,
    SAMPLE_VIDEOS: 'true',
    MCP_PORT: busyPort,
    PUBLIC_BASE_URL: 'https://subtext.example.org/',
  })
  expect(selectRunning(children)).toEqual([])
})

test('starts without the MCP server if its port is in use', () => {
  expect(service.said()).toContain(`Port ${busyPort} is in use, so the MCP server is not started.`)
  const apps = service.children().filter(({ command }) => command.endsWith('/main.js'))
  expect(apps.map(({ command }) => command.split('/').at(-2)).sort()).toEqual(['api', 'webhooks', 'worker'])
})

test('names the dashboard as callers reach it, because sign-ins from another address are refused', async () => {
  await waitUntil('the dashboard is named', () => service.said().includes('dashboard at '))
  expect(service.said()).toContain('dashboard at https://subtext.example.org/\n')
})

test('without a connection to the video platform, it says so in one line and processes the sample videos it points to', async () => {
  await waitUntil('the platform has been missed', () => service.said().includes('platform'))
  const lines = service.said().split('\n')
  const [line = '', ...others] = lines.filter((text) => text.includes('The video platform cannot be reached'))
  expect(line).toContain('(connection refused)')
  expect(others).toEqual([])
  const [url] = /https:\S+sbtx-[\w-]+/.exec(line) ?? []
  const jobId = await client.submit({ url })
  expect((await client.follow(jobId)).status).toBe('completed')
  expect(service.printed()).toBe(`ready http://127.0.0.1:${settings.PORT}/api/v1\n`)
})
