import { join } from 'node:path'
import type { EmbeddedServer } from './embedded-server.ts'
import { startPostgres } from './postgres.ts'
import { type EmbeddedRedis, type RedisOptions, startRedis } from './redis.ts'

export interface EmbeddedOptions extends Pick<RedisOptions, 'durable' | 'onProgress' | 'implementation'> {
  /** Contains the folders `postgres` and `redis`. */
  readonly dataDir: string
  /** If given, no Postgres is started. */
  readonly databaseUrl?: string | undefined
  /** If given, no Redis is started. */
  readonly redisUrl?: string | undefined
}

export interface Embedded {
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Undefined if its URL was given. */
  readonly postgres?: EmbeddedServer | undefined
  /** Undefined if its URL was given. */
  readonly redis?: EmbeddedRedis | undefined
  /** Stops the servers that were started. */
  stop(): Promise<void>
}

/** Starts the servers whose URL is not given. If one of them fails to start, none is left running. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, databaseUrl, redisUrl, ...common } = options
  const [postgres, redis] = await Promise.allSettled([
    databaseUrl ? undefined : startPostgres({ ...common, dataDir: join(dataDir, 'postgres') }),
    redisUrl ? undefined : startRedis({ ...common, dataDir: join(dataDir, 'redis') }),
  ])
  const stop = async (): Promise<void> => {
    const started = [postgres, redis].map((start) => (start.status === 'fulfilled' ? start.value?.stop() : undefined))
    await Promise.all(started)
  }
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    await stop()
    throw postgres.status === 'rejected' ? postgres.reason : (redis as PromiseRejectedResult).reason
  }
  return {
    databaseUrl: databaseUrl || (postgres.value?.url ?? ''),
    redisUrl: redisUrl || (redis.value?.url ?? ''),
    postgres: postgres.value,
    redis: redis.value,
    stop,
  }
}
