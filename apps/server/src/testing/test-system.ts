import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plan, Scope } from '@subtext/contracts'
import { createApiKey } from '@subtext/core/api-keys'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createSecretBox, rotateWebhookSecret } from '@subtext/core/webhooks'
import { type Db, openDb } from '@subtext/db'
import { createTestDatabase, type OwnServer, startOwnPostgres, startOwnRedis } from '@subtext/db/testing'
import { findSteadyPort, openTcpLink, type TcpLink } from '@subtext/embedded/testing'
import {
  type MessagesApi,
  startMessagesApi,
  startVideoPlatform,
  startWebhookReceiver,
  type VideoPlatform,
  type WebhookReceiver,
} from '@subtext/fakes'
import { testQueue } from '@subtext/queue/testing'
import { keyRing } from '@subtext/runtime'
import { type AppName, type AppProcess, settingsOf, spawnApp, untilReady } from '@subtext/server'
import { type Client, createClient } from './client.ts'

export interface TestSystemOptions {
  /** Workers at the start; 1 unless told. */
  workers?: number
  /** A Redis or Postgres that the test may end and start again, instead of those of the whole run. */
  ownRedis?: boolean
  ownPostgres?: boolean
  /** Wires that can be tampered with between the apps and their servers. */
  wires?: boolean
  /** Summaries by the stand-in of the Messages API instead of the extractive ones. */
  messagesApi?: boolean
  /** Settings that differ from the fast ones. */
  settings?: Record<string, string>
  /** Shows the log lines of the apps. */
  showLogs?: boolean
}

/** The whole service for one test file: its apps as processes, all that they talk to on this machine. */
export interface TestSystem {
  readonly baseUrl: string
  readonly platform: VideoPlatform
  readonly receiver: WebhookReceiver
  /** Throws unless asked for. */
  readonly messagesApi: MessagesApi
  readonly redis: OwnServer
  readonly postgres: OwnServer
  readonly wires: { postgres: TcpLink; redis: TcpLink }
  readonly api: AppProcess
  /** In order of their start, ended ones included. */
  readonly workers: readonly AppProcess[]
  readonly webhooks: AppProcess
  startWorker(): AppProcess
  /** The ended one is replaced. */
  startWebhooks(): AppProcess
  createClient(terms?: { plan?: Plan; scopes?: Scope[] }): Promise<Client>
  /** The user's new webhook secret. */
  rotateWebhookSecret(client: Client): Promise<string>
  rows<Row>(statement: string, values?: unknown[]): Promise<Row[]>
  /** Ends every process and waits for it; what does not end in time fails the test. */
  close(): Promise<void>
  /** What the apps have written so far. */
  readLogs(): Promise<string>
}

const FAST_SETTINGS = {
  HOST: '127.0.0.1',
  HTTPS_ONLY: 'false',
  LOG_LEVEL: 'warn',
  SHUTDOWN_GRACE_SECONDS: '1',
  JOB_LEASE_SECONDS: '3',
  JOB_RETRY_SCHEDULE: '1s',
  WEBHOOK_RETRY_SCHEDULE: '1s,1s',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
}
/** The grace of the apps, what they need to close everything, and a loaded machine. */
const STOP_WITHIN_MS = 10_000

/** Closes what was opened, the last first; every step is made, the first error is thrown. */
function createUndo() {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add: (step: () => Promise<unknown>) => void steps.push(step),
    async run() {
      const errors: unknown[] = []
      for (const step of steps.splice(0).reverse()) await step().catch((error: unknown) => errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
  }
}
type Undo = ReturnType<typeof createUndo>

export async function startTestSystem(options: TestSystemOptions = {}): Promise<TestSystem> {
  const undo = createUndo()
  try {
    return await assemble(options, undo)
  } catch (error) {
    await undo.run()
    throw error
  }
}

async function assemble(options: TestSystemOptions, undo: Undo): Promise<TestSystem> {
  const world = await startWorld(options, undo)
  const port = String(await findSteadyPort())
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = { ...FAST_SETTINGS, ...world.settings, PORT: port, PUBLIC_BASE_URL: baseUrl, ...options.settings }
  const log = await openLog(undo)
  const start = (app: AppName): AppProcess => {
    const running = spawnApp(app, settingsOf(app, settings), options.showLogs ? process.stderr.fd : log.fd)
    undo.add(() => stopInTime(app, running))
    return running
  }
  const api = start('api')
  let webhooks = start('webhooks')
  const workers = Array.from({ length: options.workers ?? 1 }, () => start('worker'))
  const { db, users } = openStore(world.databaseUrl, baseUrl, undo)
  await untilReady(baseUrl)

  return {
    baseUrl,
    ...world.fakes,
    get messagesApi() {
      return given(world.messagesApi, 'messagesApi')
    },
    get redis() {
      return given(world.ownRedis, 'ownRedis')
    },
    get postgres() {
      return given(world.ownPostgres, 'ownPostgres')
    },
    get wires() {
      return given(world.wires, 'wires')
    },
    api,
    workers,
    get webhooks() {
      return webhooks
    },
    startWorker() {
      const worker = start('worker')
      workers.push(worker)
      return worker
    },
    startWebhooks() {
      webhooks = start('webhooks')
      return webhooks
    },
    ...users,
    rows: async <Row>(statement: string, values: unknown[] = []) => (await db.query<Row>(statement, values)).rows,
    close: () => undo.run(),
    readLogs: () => readFile(log.path, 'utf8'),
  }
}

async function openLog(undo: Undo): Promise<{ path: string; fd: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'subtext-test-log-'))
  undo.add(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'apps.log')
  const file = await open(path, 'a')
  undo.add(() => file.close())
  return { path, fd: file.fd }
}

/** Everything outside the service, and the settings that lead there. */
async function startWorld(options: TestSystemOptions, undo: Undo) {
  const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    undo.add(started.close)
    return started
  }
  const ownPostgres = options.ownPostgres ? await kept(startOwnPostgres()) : undefined
  const ownRedis = options.ownRedis ? await kept(startOwnRedis()) : undefined
  const databaseUrl = ownPostgres?.url ?? (await createDatabase(undo))
  const queue = testQueue()
  const redisUrl = ownRedis?.url ?? queue.url
  const wires = options.wires
    ? { postgres: await kept(openTcpLink(databaseUrl)), redis: await kept(openTcpLink(redisUrl)) }
    : undefined
  const platform = await kept(startVideoPlatform())
  const receiver = await kept(startWebhookReceiver())
  const messagesApi = options.messagesApi ? await kept(startMessagesApi()) : undefined
  return {
    ownPostgres,
    ownRedis,
    databaseUrl,
    wires,
    fakes: { platform, receiver },
    messagesApi,
    settings: {
      DATABASE_URL: wires?.postgres.url ?? databaseUrl,
      REDIS_URL: wires?.redis.url ?? redisUrl,
      QUEUE_PREFIX: queue.prefix,
      YOUTUBE_ORIGIN: platform.origin,
      ...(messagesApi && { ANTHROPIC_API_KEY: 'of the stand-in', ANTHROPIC_BASE_URL: messagesApi.baseUrl }),
    },
  }
}

async function createDatabase(undo: Undo): Promise<string> {
  const database = await createTestDatabase()
  undo.add(database.drop)
  return database.url
}

function openStore(url: string, baseUrl: string, undo: Undo) {
  const db: Db = openDb({ url, maxConnections: 2, onIdleError: () => {} })
  undo.add(db.close)
  const emails = new Map<string, string>()
  let count = 0
  const users = {
    async createClient({ plan = 'pro', scopes = ['read', 'write'] }: { plan?: Plan; scopes?: Scope[] } = {}) {
      const email = `user${++count}@example.org`
      const key = await createApiKey({ db }, { email, plan, scopes })
      const { rows } = await db.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
      const userId = rows[0]?.id ?? ''
      emails.set(userId, email)
      return createClient(baseUrl, { key, userId })
    },
    async rotateWebhookSecret({ userId }: Client) {
      const ctx = { db, clock: () => new Date(), secretBox: createSecretBox(keyRing.parse(TEST_SECRET_KEY)) }
      return given(await rotateWebhookSecret(ctx, emails.get(userId) ?? ''), 'user')
    },
  }
  return { db, users }
}

/** Ends an app as an operator would. One that has to be ended by force fails the test. */
async function stopInTime(app: AppName, running: AppProcess): Promise<void> {
  const began = performance.now()
  await running.stop(STOP_WITHIN_MS)
  if (performance.now() - began >= STOP_WITHIN_MS) throw new Error(`The app ${app} did not stop.`)
}

function given<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null) throw new Error(`This test system has no ${name}.`)
  return value
}
