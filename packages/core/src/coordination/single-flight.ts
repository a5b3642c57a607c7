import { setTimeout as sleep } from 'node:timers/promises'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { type LeaseOutcome, type LeaseRequest, releaseLease, renewLease, takeLease } from './leases-sql.ts'

const LEASE_SECONDS = 15
const FIRST_WAIT_MS = 50
const MAX_WAIT_MS = 1_000

/** The finished result or, without one, whether the lease was acquired to produce it. */
export type FlightStart<T> = { found: T } | { lease: LeaseOutcome }

/** What the work may do with its lease. */
export interface FlightLease {
  /**
   * Runs the last write of the work, which releases the lease itself, once no extension of the lease is under way. If it
   * returns false, the lease is still to be released.
   */
  endWith<R>(write: (lease: LeaseRequest) => Promise<R>): Promise<R>
}

export interface Flight<T> {
  /**
   * Looks for the finished result, and otherwise acquires the lease, preferably in one statement. It is called again after it
   * has taken over the lease from another holder, and then extends it.
   */
  start(lease: LeaseRequest): Promise<FlightStart<T>>
  /** Produces the result. Returns null if the lease was lost, in which case another worker produces or has produced it. */
  produce(lease: FlightLease): Promise<T | null>
  leaseSeconds?: number
  /** A lease on the key that the caller has acquired, and after which nothing was found. */
  acquired?: LeaseRequest | null
}

/** Acquires a lease that its caller requests after looking for the result. The result may have been stored since. */
export const acquireAfterLooking = async (ctx: Pick<Context, 'db'>, lease: LeaseRequest): Promise<LeaseOutcome> =>
  (await takeLease(ctx.db, lease)) === 'held' ? 'held' : 'taken over'

/**
 * Makes sure that only one worker of all produces the result called `key` at a time; the others wait and then find it. If a
 * worker dies, another one continues when its lease expires. Pass the lease of the job as `leaseSeconds`, so that the worker
 * that takes over the job need not wait longer.
 */
export async function singleFlight<T>(
  ctx: Pick<Context, 'db'>,
  key: string,
  signal: AbortSignal,
  { start, produce, leaseSeconds = LEASE_SECONDS, acquired }: Flight<T>,
): Promise<T> {
  const lease = acquired ?? { key, token: randomId(), seconds: leaseSeconds }
  if (acquired) {
    const result = await produceUnder(ctx, lease, async (flightLease) => {
      signal.throwIfAborted()
      return produce(flightLease)
    })
    if (result !== null) return result
  }
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
    signal.throwIfAborted()
    const started = await start(lease)
    if ('found' in started) return started.found
    if (started.lease !== 'held') {
      const result = await produceUnder(ctx, lease, async (flightLease) => {
        // Another worker may have finished it between this worker's lookup and its acquisition of the lease.
        const again = started.lease === 'taken over' ? await start(lease) : started
        if ('found' in again) return again.found
        return again.lease === 'held' ? null : produce(flightLease)
      })
      if (result !== null) return result
    }
    await sleep(wait, undefined, { signal })
  }
}

/** Keeps the lease while `work` runs, and releases it. */
async function produceUnder<T>(
  ctx: Pick<Context, 'db'>,
  lease: LeaseRequest,
  work: (flightLease: FlightLease) => Promise<T>,
): Promise<T> {
  let extending: Promise<unknown> = Promise.resolve()
  const renewal = setInterval(
    () => {
      extending = renewLease(ctx.db, lease).catch(() => {}) // The next renewal tries again.
    },
    (lease.seconds * 1_000) / 3,
  )
  let isReleased = false
  try {
    return await work({
      async endWith(write) {
        clearInterval(renewal)
        await extending
        const result = await write(lease)
        isReleased = result !== false
        return result
      },
    })
  } finally {
    clearInterval(renewal)
    if (!isReleased) {
      await extending
      await releaseLease(ctx.db, lease).catch(() => {}) // The lease expires on its own.
    }
  }
}
