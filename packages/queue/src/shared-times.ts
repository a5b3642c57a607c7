import { createLocalTimes, type FirstTimes } from '@subtext/runtime'
import { connectRedis, failFast, firstAttempt, type QueueOptions } from './connection.ts'

interface SharedTimesOptions extends Pick<QueueOptions, 'url' | 'prefix' | 'timeoutMs'> {
  /** What the keys are; processes that use the same name share them. */
  name: string
  /** Milliseconds for which a key is remembered. */
  keepMs: number
}

/** Times that all processes remember together, by the clock of Redis. While it is unavailable, each remembers its own. */
export interface SharedTimes extends FirstTimes {
  close(): Promise<void>
}

export function createSharedTimes({ url, prefix, timeoutMs, name, keepMs }: SharedTimesOptions): SharedTimes {
  const redis = connectRedis({ url, prefix }, failFast({ timeoutMs }))
  redis.on('error', () => {}) // errors surface on the next command
  const opened = firstAttempt(redis, timeoutMs)
  const local = createLocalTimes(keepMs)
  const keyOf = (key: string): string => `${prefix}:times:${name}:${key}`

  const askRedis = async (key: string): Promise<number> => {
    const replies = await redis.multi().set(keyOf(key), '', 'PX', keepMs, 'NX').pttl(keyOf(key)).exec()
    const [error, leftMs] = replies?.at(-1) ?? []
    if (error || typeof leftMs !== 'number' || leftMs < 0) throw error ?? new Error('The key was not kept.')
    return keepMs - leftMs
  }
  return {
    async ageOf(key) {
      await opened
      // Also remembered here, in case Redis is away when the key is named again.
      const ownAgeMs = await local.ageOf(key)
      return askRedis(key).catch(() => ownAgeMs)
    },
    async forget(key) {
      await local.forget(key)
      await redis.unlink(keyOf(key)).catch(() => {}) // it is remembered until its time has passed
    },
    async close() {
      redis.disconnect()
    },
  }
}
