import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '@subtext/db'
import { createSemaphore } from '@subtext/runtime'

const RETRY_INTERVAL_MS = 250

/**
 * Retries a write while the database is unavailable, until the signal is aborted; if it is already aborted, tries once. Use it
 * for results that are too expensive to produce again, and only for writes that can safely be repeated.
 */
export async function retryThroughOutage<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error
      await sleep(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => {}) // aborted: the next attempt is the last
    }
  }
}

export type PersistWrite = typeof retryThroughOutage

/**
 * Returns a function like `retryThroughOutage` for processes in which many writes may meet the same outage. One of them
 * is repeated at a time, and the others follow once it has succeeded. Rejects with the reason of a signal that aborts
 * while the write waits for its turn.
 */
export function createOutageQueue(): PersistWrite {
  const turns = createSemaphore(1)
  return async (signal, write) => {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error
    }
    return turns.run(() => retryThroughOutage(signal, write), signal)
  }
}
