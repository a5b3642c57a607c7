import { Redis } from 'ioredis'

/** Thrown for a server that answers but cannot be used. */
export class UnusableServerError extends Error {
  override name = 'UnusableServerError'
}

/**
 * Opens a connection to Redis, sends commands and closes it again. Rejects if that fails or takes too long, and with
 * `UnusableServerError` if the server is part of a cluster.
 */
export async function checkRedisConnection(url: string, timeoutMs: number): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  const failure = new Promise<never>((_, reject) => redis.once('error', reject))
  try {
    // The promise of `connect` only says that the connection is closed; the event says why.
    await Promise.race([failure, redis.connect().then(() => redis.ping())])
    // A server that does not say is assumed to be usable.
    const info = await redis.info('cluster').catch(() => '')
    if (/^cluster_enabled:1\r?$/m.test(info)) {
      throw new UnusableServerError('Redis Cluster is not supported; use a single server, or Sentinel behind a proxy')
    }
  } finally {
    redis.on('error', () => {})
    redis.disconnect()
  }
}
