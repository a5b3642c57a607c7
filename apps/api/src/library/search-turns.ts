import { ServiceError } from '@subtext/contracts'
import { createAccountQueue, QueueFullError } from '@subtext/runtime'

/** Searches of all accounts that wait for their turn. */
const MAX_WAITING = 100
const MAX_WAIT_MS = 30_000
const RETRY_AFTER_SECONDS = 5

/**
 * Runs a search of an account when it is its turn. Rejects with `SERVICE_UNAVAILABLE` if too many wait, with the signal's reason, and
 * with the errors of the search.
 */
export type TakeTurn = <T>(account: string, signal: AbortSignal, search: () => Promise<T>) => Promise<T>

/** Creates the turns of searches that need memory, which accounts share: one has all but one at most. */
export function createSearchTurns(maxActive: number, maxWaiting = MAX_WAITING): TakeTurn {
  const queue = createAccountQueue({ maxActive, maxWaiting, maxWaitMs: MAX_WAIT_MS })
  return async (account, signal, search) => {
    // Several searches of a request wait with one signal, and Node reports many listeners on one as a leak.
    const leave = await queue.enter(account, AbortSignal.any([signal])).catch((cause: unknown) => {
      if (!(cause instanceof QueueFullError)) throw cause
      const message = 'Too many searches are running. Retry after `Retry-After` seconds.'
      throw new ServiceError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
    })
    return await search().finally(leave)
  }
}
