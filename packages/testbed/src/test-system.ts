import { readFile } from 'node:fs/promises'
import { openTestBlobs } from '@subtext/blobs/testing'
import { openPrismaDb, type PrismaDb } from '@subtext/db/prisma'
import type { OwnServer } from '@subtext/db/testing'
import { type PgBouncer, type SentinelCluster, type TcpLink, waitUntil } from '@subtext/embedded/testing'
import type { MessagesApi, SampleVideo, TraceCollector, VideoPlatform, WebhookReceiver } from '@subtext/fakes'
import { dropRunningTasks } from '@subtext/queue/testing'
import { HEAP_OPTIONS } from '@subtext/runtime'
import { type AppName, type AppProcess, settingsOf, untilReady } from '@subtext/standalone'
import { type AccountOptions, createTestAccount, renewWebhookSecret } from './accounts.ts'
import { choosePorts, TEST_AUTH_SECRET } from './choose-ports.ts'
import { type Client, createClient } from './client.ts'
import { openFolder, openLog } from './folders.ts'
import { LOCAL_SETTINGS, startApp } from './start-app.ts'
import { given, startWorld, type TestWorld, type WorldOptions } from './test-world.ts'
import { openParts, type Undo } from './undo.ts'

export interface TestSystemOptions extends WorldOptions {
  /** Number of workers at the start; 1 by default. */
  workers?: number
  /** Lets the apps serve their metrics. At most one of each app can run at a time. */
  metrics?: boolean
  /** Settings of the apps, in addition to the defaults for tests. */
  settings?: Record<string, string>
  /** Writes the log lines of the apps to standard error. */
  showLogs?: boolean
}

/** The whole service for one test file: its apps as processes, and fakes of everything they talk to. */
export interface TestSystem {
  readonly baseUrl: string
  /** The address of the MCP server, which tests start themselves. */
  readonly mcpUrl: string
  readonly platform: VideoPlatform
  readonly receiver: WebhookReceiver
  /** Like `redis`, `postgres` and `wires`, throws unless the options ask for it. */
  readonly messagesApi: MessagesApi
  readonly traces: TraceCollector
  readonly redis: OwnServer
  readonly postgres: OwnServer
  readonly wires: { postgres: TcpLink; redis: TcpLink }
  readonly pgBouncer: PgBouncer
  readonly sentinel: SentinelCluster
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
  /** Adds a copy of a video to the platform, with an ID for which nothing is cached. */
  addCopy(video: SampleVideo): SampleVideo
  createClient(options?: AccountOptions): Promise<Client>
  /** Returns the user's new webhook secret. */
  rotateWebhookSecret(client: Client): Promise<string>
  rows<Row>(statement: string, values?: unknown[]): Promise<Row[]>
  /** Stops every process and waits for its end; throws if an app has to be killed. */
  close(): Promise<void>
  /** Returns what an app serves at /metrics; throws unless the options ask for metrics. */
  readMetrics(app: AppName): Promise<string>
  /** Returns what the apps have logged so far. */
  readLogs(): Promise<string>
}

/** Apps live as briefly as the processes that run the tests: the compiler took a seventh of their CPU time. */
const V8_FLAGS = new URL('./v8-flags.mjs', import.meta.url).href

const TEST_SETTINGS = {
  ...LOCAL_SETTINGS,
  NODE_OPTIONS: `${HEAP_OPTIONS} --import="${V8_FLAGS}"`,
  LOG_LEVEL: 'warn',
  // Long enough that a busy machine does not cost a living worker its jobs (see `expireLeases`), and less than a test waits: if the
  // reply to a claim comes too late, nobody has the job until the lease ends.
  JOB_LEASE_SECONDS: '100',
  JOB_RETRY_SCHEDULE: '1s',
  WEBHOOK_RETRY_SCHEDULE: '1s,1s',
  AUTH_SECRET: TEST_AUTH_SECRET,
}
/** On a busy machine, Postgres must not count as unavailable; in a test that cuts its connections, it must, and soon. */
const PATIENT = { DATABASE_TIMEOUT_SECONDS: '30' }
/** Only a failing test waits this long. It leaves time for a machine that is busy with other things. */
const READY_TIMEOUT_MS = 240_000
const EXPIRE_LEASES = [
  "UPDATE jobs SET wake_at = now() - interval '1 s' WHERE status = 'processing' AND lease_token IS NOT NULL",
  "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 s' WHERE status = 'pending' AND lease_token IS NOT NULL",
  'DELETE FROM leases',
]

export const startTestSystem = (options: TestSystemOptions = {}): Promise<TestSystem> =>
  openParts((undo) => assemble(options, undo))

async function assemble(options: TestSystemOptions, undo: Undo): Promise<TestSystem> {
  const world = await startWorld(options, undo)
  const { baseUrl, mcpUrl, settings: ports } = await choosePorts(options.metrics)
  const files = await openTestBlobs()
  undo.add(files.remove)
  const addresses = {
    ...world.settings,
    ...ports,
    BLOB_STORE_URL: files.url,
  }
  const settings = settingsFor(options, addresses)
  const log = await openLog(undo, await openFolder(undo))
  const start = (app: AppName, more: Record<string, string> = {}): AppProcess => {
    const output = options.showLogs ? process.stderr.fd : log.fd
    return startApp(undo, app, settingsOf(app, { ...settings, ...more }), output)
  }
  let api = start('api')
  let webhooks = start('webhooks')
  const workers = Array.from({ length: options.workers ?? 1 }, () => start('worker'))
  const store = openStore(world, baseUrl, undo)
  await untilReady(baseUrl, READY_TIMEOUT_MS)

  const system: Omit<TestSystem, Part> = {
    baseUrl,
    mcpUrl,
    ...world.fakes,
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
      const url = `http://127.0.0.1:${given(METRICS_PORT, 'metrics')}/metrics`
      // Only the API is awaited when the system starts.
      const response = await waitUntil(`${app} serves its metrics`, () => fetch(url).catch(() => undefined))
      return response.text()
    },
    readLogs: () => readFile(log.path, 'utf8'),
  }
  return Object.defineProperties(system, Object.getOwnPropertyDescriptors(partsOf(world))) as TestSystem
}

type Part = 'messagesApi' | 'traces' | 'redis' | 'postgres' | 'wires' | 'pgBouncer' | 'sentinel'

/** What a system has only if the options ask for it. */
const partsOf = (world: TestWorld): Pick<TestSystem, Part> => ({
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
  get pgBouncer() {
    return given(world.pgBouncer, 'pgBouncer')
  },
  get sentinel() {
    return given(world.sentinel, 'sentinel')
  },
})

const settingsFor = (options: TestSystemOptions, addresses: Record<string, string>): Record<string, string> => ({
  ...TEST_SETTINGS,
  ...(options.wires ? {} : PATIENT),
  ...addresses,
  ...options.settings,
})

/** Opens the database of the system, past wires and apps. */
function openStore(world: TestWorld, baseUrl: string, undo: Undo) {
  const db: PrismaDb = openPrismaDb({
    url: world.databaseUrl,
    maxConnections: 2,
    connectTimeoutMs: READY_TIMEOUT_MS,
    onIdleError: () => {},
  })
  undo.add(db.close)
  let count = 0
  return {
    rows: async <Row>(statement: string, values: unknown[] = []) => (await db.query<Row>(statement, values)).rows,
    async expireLeases() {
      for (const statement of EXPIRE_LEASES) await db.query(statement)
      await dropRunningTasks(world.queue)
    },
    async createClient(options?: AccountOptions) {
      return createClient(baseUrl, await createTestAccount(db, `user${++count}@example.org`, options))
    },
    rotateWebhookSecret: ({ email }: Client) => renewWebhookSecret(db, email),
  }
}
