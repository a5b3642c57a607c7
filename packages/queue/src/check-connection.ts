import { Redis } from 'ioredis'

/** Opens a connection to Redis, sends a command and closes it again. Rejects if that fails or takes too long. */
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
  } finally {
    redis.on('error', () => {})
    redis.disconnect()
  }
}
