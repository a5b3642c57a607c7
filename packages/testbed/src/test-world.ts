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

export interface WorldOptions {
  /** Starts a Redis or Postgres that the test can kill and start again, in place of the shared servers. */
  ownRedis?: boolean
  ownPostgres?: boolean
  /** Lets these servers keep what they have stored when they are killed. */
  durable?: boolean
  /** A migrated database to use in place of a new one. */
  databaseUrl?: string
  /** Puts connections that can be slowed down, cut and lost between the apps and their servers. */
  wires?: boolean
  /** Lets the apps reach the database through PgBouncer in transaction mode. */
  pgBouncer?: boolean
  /** Lets the apps use the Redis of a Sentinel, through a proxy. */
  sentinel?: boolean
  /** Lets the fake Messages API write the summaries, as the provider or as another kind of server; by default they are extractive. */
  messagesApi?: boolean | ServerKind
  /** Lets the apps export traces of every request. */
  traces?: boolean
}

export type TestWorld = Awaited<ReturnType<typeof startWorld>>

/** Starts everything outside the service; returns it with the settings that lead there. */
export async function startWorld(options: WorldOptions, undo: Undo) {
  const ownPostgres = options.ownPostgres ? await undo.keep(startOwnPostgres(options)) : undefined
  const ownRedis = options.ownRedis ? await undo.keep(startOwnRedis(options)) : undefined
  const databaseUrl = ownPostgres?.url ?? options.databaseUrl ?? (await createDatabase(undo))
  const pgBouncer = options.pgBouncer ? await undo.keep(startPgBouncer(databaseUrl)) : undefined
  const sentinel = options.sentinel ? await undo.keep(startSentinelCluster()) : undefined
  const redis = sentinel ?? ownRedis
  const queue = redis ? { url: redis.url, prefix: 'test' } : testQueue()
  const wires = options.wires
    ? { postgres: await undo.keep(openTcpLink(databaseUrl)), redis: await undo.keep(openTcpLink(queue.url)) }
    : undefined
  const platform = await undo.keep(startVideoPlatform())
  const receiver = await undo.keep(startWebhookReceiver())
  const kind = typeof options.messagesApi === 'string' ? options.messagesApi : undefined
  const messagesApi = options.messagesApi ? await undo.keep(startMessagesApi({ kind })) : undefined
  const traces = options.traces ? await undo.keep(startTraceCollector()) : undefined
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
    queue,
    settings: {
      DATABASE_URL: wires?.postgres.url ?? pgBouncer?.url ?? databaseUrl,
      REDIS_URL: wires?.redis.url ?? queue.url,
      QUEUE_PREFIX: queue.prefix,
      YOUTUBE_ORIGIN: platform.origin,
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
