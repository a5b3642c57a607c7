import { createTestDatabase, startOwnPostgres, startOwnRedis } from '@subtext/db/testing'
import { openTcpLink, startPgBouncer, startSentinelCluster } from '@subtext/embedded/testing'
import {
  type SampleVideo,
  type ServerKind,
  startMessagesApi,
  startTraceCollector,
  startVideoPlatform,
  startWebhookReceiver,
} from '@subtext/fakes'
import { testQueue } from '@subtext/queue/testing'
import type { Undo } from './undo.ts'

export interface TestSystemOptions {
  /** Number of workers at the start; 1 by default. */
  workers?: number
  /** Starts a Redis or Postgres that the test can kill and start again, in place of the shared servers. */
  ownRedis?: boolean
  ownPostgres?: boolean
  /** Puts connections that can be slowed down, cut and lost between the apps and their servers. */
  wires?: boolean
  /** Lets the apps reach the database through PgBouncer in transaction mode. */
  pgBouncer?: boolean
  /** Lets the apps use the Redis of a Sentinel, through a proxy. */
  sentinel?: boolean
  /** Lets the fake Messages API write the summaries, as the provider or as another kind of server; by default they are extractive. */
  messagesApi?: boolean | ServerKind
  /** Lets the apps serve their metrics. At most one of each app can run at a time. */
  metrics?: boolean
  /** Lets the apps export traces of every request. */
  traces?: boolean
  /** Settings of the apps, in addition to the defaults for tests. */
  settings?: Record<string, string>
  /** Writes the log lines of the apps to standard error. */
  showLogs?: boolean
}

export type TestWorld = Awaited<ReturnType<typeof startWorld>>

/** Starts everything outside the service; returns it with the settings that lead there. */
export async function startWorld(options: TestSystemOptions, undo: Undo) {
  const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    undo.add(started.close)
    return started
  }
  const ownPostgres = options.ownPostgres ? await kept(startOwnPostgres()) : undefined
  const ownRedis = options.ownRedis ? await kept(startOwnRedis()) : undefined
  const databaseUrl = ownPostgres?.url ?? (await createDatabase(undo))
  const queue = testQueue()
  const pgBouncer = options.pgBouncer ? await kept(startPgBouncer(databaseUrl)) : undefined
  const sentinel = options.sentinel ? await kept(startSentinelCluster()) : undefined
  const redisUrl = sentinel?.url ?? ownRedis?.url ?? queue.url
  const wires = options.wires
    ? { postgres: await kept(openTcpLink(databaseUrl)), redis: await kept(openTcpLink(redisUrl)) }
    : undefined
  const platform = await kept(startVideoPlatform())
  const receiver = await kept(startWebhookReceiver())
  const kind = typeof options.messagesApi === 'string' ? options.messagesApi : undefined
  const messagesApi = options.messagesApi ? await kept(startMessagesApi({ kind })) : undefined
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
    pgBouncer,
    sentinel,
    fakes: { platform, receiver, addCopy },
    messagesApi,
    traces,
    queue: { url: redisUrl, prefix: queue.prefix },
    settings: {
      DATABASE_URL: wires?.postgres.url ?? pgBouncer?.url ?? databaseUrl,
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

/** Returns a part of the system; throws if the options did not ask for it. */
export function given<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null) throw new Error(`This test system has no ${name}.`)
  return value
}
