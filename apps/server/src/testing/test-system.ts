import { readFile } from 'node:fs/promises'
import { openTestBlobs } from '@subtext/blobs/testing'
import type { Plan, Scope } from '@subtext/contracts'
import { createApiKey } from '@subtext/core/api-keys'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createSecretBox, rotateWebhookSecret } from '@subtext/core/webhooks'
import { type Db, openDb } from '@subtext/db'
import { createTestDatabase, type OwnServer, startOwnPostgres, startOwnRedis } from '@subtext/db/testing'
import { findMetricsPort, findSteadyPort, openTcpLink, type TcpLink } from '@subtext/embedded/testing'
import {
  type MessagesApi,
  type SampleVideo,
  startMessagesApi,
  startTraceCollector,
  startVideoPlatform,
  startWebhookReceiver,
  type TraceCollector,
  type VideoPlatform,
  type WebhookReceiver,
} from '@subtext/fakes'
import { dropRunningTasks, testQueue } from '@subtext/queue/testing'
import { keyRing } from '@subtext/runtime'
import { type AppName, type AppProcess, settingsOf, spawnApp, untilReady } from '@subtext/server'
import type { Settings } from '../env.ts'
import { type Client, createClient } from './client.ts'
import { openLog } from './open-log.ts'
import { createUndo, type Undo } from './undo.ts'

export interface TestSystemOptions {
  /** Number of workers at the start; 1 by default. */
  workers?: number
  /** Starts a Redis or Postgres that the test can kill and start again, in place of the shared servers. */
  ownRedis?: boolean
  ownPostgres?: boolean
  /** Puts connections that can be slowed down, cut and lost between the apps and their servers. */
  wires?: boolean
  /** Lets the fake Messages API write the summaries; by default they are extractive. */
  messagesApi?: boolean
  /** Lets the apps serve their metrics. At most one of each app can run at a time. */
  metrics?: boolean
  /** Lets the apps export traces of every request. */
  traces?: boolean
  /** Settings of the apps, in addition to the defaults for tests. */
  settings?: Record<string, string>
  /** Writes the log lines of the apps to standard error. */
  showLogs?: boolean
}

export interface ClientOptions {
  plan?: Plan
  scopes?: Scope[]
}

/** The whole service for one test file: its apps as processes, and fakes of everything they talk to. */
export interface TestSystem {
  readonly baseUrl: string
  readonly platform: VideoPlatform
  readonly receiver: WebhookReceiver
  /** Like `redis`, `postgres` and `wires`, throws unless the options ask for it. */
  readonly messagesApi: MessagesApi
  readonly traces: TraceCollector
  readonly redis: OwnServer
  readonly postgres: OwnServer
  readonly wires: { postgres: TcpLink; redis: TcpLink }
  readonly api: AppProcess
  /** All workers in the order of their start, including those that have ended. */
  readonly workers: readonly AppProcess[]
  readonly webhooks: AppProcess
  startWorker(settings?: Record<string, string>): AppProcess
  /** Start an app in place of one that has ended, at the same address. */
  startApi(): Promise<AppProcess>
  startWebhooks(): AppProcess
  /**
   * Ends the leases of jobs, tasks and deliveries now. For processes that were killed: in tests, leases outlast any pause of
   * a busy machine, and nobody waits for their end.
   */
  expireLeases(): Promise<void>
  /** Adds a copy of a video to the platform, with an id for which nothing is cached. */
  addCopy(video: SampleVideo): SampleVideo
  createClient(options?: ClientOptions): Promise<Client>
  /** Returns the user's new webhook secret. */
  rotateWebhookSecret(client: Client): Promise<string>
  rows<Row>(statement: string, values?: unknown[]): Promise<Row[]>
  /** Stops every process and waits for its end; throws when an app does not end by itself. */
  close(): Promise<void>
  /** Returns what an app serves at /metrics; throws unless the options ask for metrics. */
  readMetrics(app: AppName): Promise<string>
  /** Returns what the apps have logged so far. */
  readLogs(): Promise<string>
}

const TEST_SETTINGS = {
  HOST: '127.0.0.1',
  HTTPS_ONLY: 'false',
  LOG_LEVEL: 'warn',
  SHUTDOWN_GRACE_SECONDS: '3',
  // Longer than any test: a busy machine must not cost a living worker its jobs. See `expireLeases`.
  JOB_LEASE_SECONDS: '600',
  JOB_RETRY_SCHEDULE: '1s',
  WEBHOOK_RETRY_SCHEDULE: '1s,1s',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
}
/** A Postgres on a busy machine must not count as unavailable, but one whose connections are lost on purpose soon must. */
const PATIENT = { DATABASE_TIMEOUT_SECONDS: '30' }
/** Only a failing test waits this long. It leaves time for a machine that is busy with other things. */
const READY_TIMEOUT_MS = 240_000
const STOP_TIMEOUT_MS = 240_000
const EXPIRE_LEASES = [
  "UPDATE jobs SET wake_at = now() WHERE status = 'processing' AND lease_token IS NOT NULL",
  "UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending' AND lease_token IS NOT NULL",
  'DELETE FROM leases',
]

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
  const metrics: Settings = options.metrics ? { METRICS_PORT: String(await findMetricsPort()) } : {}
  const files = await openTestBlobs()
  undo.add(files.remove)
  const addresses = {
    ...world.settings,
    ...metrics,
    PORT: port,
    PUBLIC_BASE_URL: baseUrl,
    BLOB_STORE_URL: files.url,
  }
  const settings = settingsFor(options, addresses)
  const log = await openLog(undo)
  const start = (app: AppName, more: Record<string, string> = {}): AppProcess => {
    const output = options.showLogs ? process.stderr.fd : log.fd
    const running = spawnApp(app, settingsOf(app, { ...settings, ...more }), output)
    undo.add(() => stopInTime(app, running))
    return running
  }
  let api = start('api')
  let webhooks = start('webhooks')
  const workers = Array.from({ length: options.workers ?? 1 }, () => start('worker'))
  const store = openStore(world, baseUrl, undo)
  await untilReady(baseUrl, READY_TIMEOUT_MS)

  return {
    baseUrl,
    ...world.fakes,
    get messagesApi() {
      return given(world.messagesApi, 'messagesApi')
    },
    get traces() {
      return given(world.traces, 'traces')
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
    get api() {
      return api
    },
    workers,
    get webhooks() {
      return webhooks
    },
    startWorker(more) {
      const worker = start('worker', more)
      workers.push(worker)
      return worker
    },
    async startApi() {
      api = start('api')
      await untilReady(baseUrl, READY_TIMEOUT_MS)
      return api
    },
    startWebhooks() {
      webhooks = start('webhooks')
      return webhooks
    },
    ...store,
    close: () => undo.run(),
    async readMetrics(app) {
      const { METRICS_PORT } = settingsOf(app, settings)
      return (await fetch(`http://127.0.0.1:${given(METRICS_PORT, 'metrics')}/metrics`)).text()
    },
    readLogs: () => readFile(log.path, 'utf8'),
  }
}

const settingsFor = (options: TestSystemOptions, addresses: Settings): Settings => ({
  ...TEST_SETTINGS,
  ...(options.wires ? {} : PATIENT),
  ...addresses,
  ...options.settings,
})

/** Starts everything outside the service; returns it with the settings that lead there. */
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
  const traces = options.traces ? await kept(startTraceCollector()) : undefined
  let copies = 0
  const addCopy = (video: SampleVideo): SampleVideo => {
    const copy = { ...video, id: `sbtx-c${String(++copies).padStart(5, '0')}` }
    platform.addVideo(copy)
    return copy
  }
  return {
    ownPostgres,
    ownRedis,
    databaseUrl,
    wires,
    fakes: { platform, receiver, addCopy },
    messagesApi,
    traces,
    queue: { url: redisUrl, prefix: queue.prefix },
    settings: {
      DATABASE_URL: wires?.postgres.url ?? databaseUrl,
      REDIS_URL: wires?.redis.url ?? redisUrl,
      QUEUE_PREFIX: queue.prefix,
      YOUTUBE_ORIGIN: platform.origin,
      // The tests decide how the videos of the platform behave, those of the sample platform included.
      SAMPLE_VIDEOS: 'false',
      ...(traces && { OTEL_EXPORTER_OTLP_ENDPOINT: traces.origin }),
      ...(messagesApi && { ANTHROPIC_API_KEY: 'key of the fake', ANTHROPIC_BASE_URL: messagesApi.baseUrl }),
    },
  }
}

async function createDatabase(undo: Undo): Promise<string> {
  const database = await createTestDatabase()
  undo.add(database.drop)
  return database.url
}

/** Opens the database of the system, past wires and apps. */
function openStore(world: Awaited<ReturnType<typeof startWorld>>, baseUrl: string, undo: Undo) {
  const db: Db = openDb({ url: world.databaseUrl, maxConnections: 2, onIdleError: () => {} })
  undo.add(db.close)
  const emails = new Map<string, string>()
  let count = 0
  return {
    rows: async <Row>(statement: string, values: unknown[] = []) => (await db.query<Row>(statement, values)).rows,
    async expireLeases() {
      for (const statement of EXPIRE_LEASES) await db.query(statement)
      await dropRunningTasks(world.queue)
    },
    async createClient({ plan = 'pro', scopes = ['read', 'write'] }: ClientOptions = {}) {
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
}

/** Stops an app with SIGTERM, as an operator would. Throws when it had to be killed. */
async function stopInTime(app: AppName, running: AppProcess): Promise<void> {
  const began = performance.now()
  await running.stop(STOP_TIMEOUT_MS)
  if (performance.now() - began >= STOP_TIMEOUT_MS) throw new Error(`The app ${app} did not stop.`)
}

function given<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null) throw new Error(`This test system has no ${name}.`)
  return value
}
