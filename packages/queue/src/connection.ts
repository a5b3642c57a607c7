import { Redis, type RedisOptions } from 'ioredis'

export interface QueueOptions {
  url: string
  /** First part of every key, so that several installations can share a server. */
  prefix: string
  /** Told once when the connection is lost and once when it is back. */
  onConnectionChange?: (state: 'lost' | 'restored', error?: Error) => void
}

const MAX_RECONNECT_DELAY_MS = 1_000
/**
 * A connection that owes an answer for so long is lost, though nobody has said so. Longer than the 10 seconds for which
 * BullMQ's blocking call may wait for a task.
 */
const SILENCE_TIMEOUT_MS = 15_000

/** A connection that never gives up and is back at most a second after the server is. */
export function connectRedis({ url, onConnectionChange }: QueueOptions, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * times, MAX_RECONNECT_DELAY_MS),
    // How long a goodbye may take when the server does not answer; a process that ends does not wait for it.
    disconnectTimeout: 100,
    socketTimeout: SILENCE_TIMEOUT_MS,
    ...options,
  })
  let lost = false
  redis.on('error', (error: Error) => {
    if (!lost) onConnectionChange?.('lost', error)
    lost = true
  })
  redis.on('ready', () => {
    if (lost) onConnectionChange?.('restored')
    lost = false
  })
  return redis
}

/** For callers that would rather fail at once than wait for a server that is away. */
export const FAIL_FAST: RedisOptions = { enableOfflineQueue: false, commandTimeout: 2_000, socketTimeout: 5_000 }
