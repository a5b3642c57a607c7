import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'

export interface QueueOptions {
  url: string
  /** Prefix of every key, so that several installations can share one server. */
  prefix: string
  /** Called once when the connection is lost and once when it is restored. */
  onConnectionChange?: (state: 'lost' | 'restored', error?: Error) => void
  /** Milliseconds after which a server that does not respond counts as unavailable; a second or two by default. */
  timeoutMs?: number | undefined
}

const MAX_RECONNECT_DELAY_MS = 1_000
const FIRST_ATTEMPT_TIMEOUT_MS = 2_000
/**
 * A connection that owes a reply for this long is considered lost, even if no error was reported. It must exceed the 10
 * seconds for which BullMQ's blocking call may wait for a task.
 */
const SILENCE_TIMEOUT_MS = 15_000

/** Opens a connection that never stops reconnecting and is restored at most a second after the server is back. */
export function connectRedis({ url, onConnectionChange }: QueueOptions, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * times, MAX_RECONNECT_DELAY_MS),
    // Limits a graceful disconnect from a server that does not respond; a process that stops does not wait for it.
    disconnectTimeout: 100,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // A primary that was demoted. Behind a proxy, the next connection leads to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY '),
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

const COMMAND_TIMEOUT_MS = 2_000
const SOCKET_TIMEOUT_MS = 5_000

/** For callers that would rather fail quickly than wait for an unavailable server. */
export const failFast = ({ timeoutMs = COMMAND_TIMEOUT_MS }: Pick<QueueOptions, 'timeoutMs'>): RedisOptions => ({
  enableOfflineQueue: false,
  commandTimeout: timeoutMs,
  socketTimeout: Math.max(SOCKET_TIMEOUT_MS, timeoutMs),
})

/** Resolves when the first attempt to connect has succeeded or failed, at the latest after `timeoutMs` milliseconds. */
export async function firstAttempt(redis: Redis, timeoutMs = FIRST_ATTEMPT_TIMEOUT_MS): Promise<void> {
  const attempt = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve())
  })
  await Promise.race([attempt, sleep(timeoutMs, undefined, { ref: false })])
}
