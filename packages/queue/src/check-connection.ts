import { Redis } from 'ioredis'

/** Thrown for a server that answers but cannot be used. */
export class UnusableServerError extends Error {
  override name = 'UnusableServerError'
}

/** The replies to the number of a database that the server does not have. */
const NO_SUCH_DATABASE = /^ERR (?:invalid DB index|DB index is out of range|value is not an integer)/

/**
 * Opens a connection to Redis, sends commands and closes it again. Rejects if that fails or takes too long, and with
 * `UnusableServerError` if the server is part of a cluster or has no database of that number.
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
    await Promise.race([failure, redis.connect().then(() => redis.ping())]).catch((error: Error) => {
      throw NO_SUCH_DATABASE.test(error.message) ? new UnusableServerError(error.message.replace(/^ERR /, '')) : error
    })
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
