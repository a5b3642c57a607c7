import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '@subtext/db'

const AGAIN_MS = 250

/**
 * Repeats a write for as long as the store is away, until the signal is aborted; with an aborted one it is tried once. For
 * what is too dear to be made again. The write may take effect more than once.
 */
export async function retryThroughOutage<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {}) // one more try, then
    }
  }
}
