import type { Context } from '../context.ts'
import { extendIdempotencyClaim, type IdempotencyClaim } from './claim-sql.ts'

/**
 * How long after its last extension a repeated request may take over a claim. It is short, because clients of a killed process
 * have to wait for it. It can be short, because both requests create the same resource if the first process was only slow.
 */
export const LEASE_SECONDS = 3
const EXTEND_EVERY_MS = 1_000
/** A request that never ends must not keep its key. Longer than any request takes. */
const MAX_HELD_MS = 900_000

/** A claim that is extended while its request is being carried out. */
export interface HeldClaim {
  /** Stops extending the claim, and returns its latest state. */
  end(): Promise<IdempotencyClaim>
}

/** Extends the claim every second until it is ended or another process has taken it over. */
export function holdClaim({ db }: Pick<Context, 'db'>, first: IdempotencyClaim): HeldClaim {
  const heldUntil = performance.now() + MAX_HELD_MS
  let claim = first
  let isEnded = false
  let extending: Promise<void> | undefined
  let timer = schedule()

  function schedule(): NodeJS.Timeout {
    const next = setTimeout(() => {
      extending = extend()
    }, EXTEND_EVERY_MS)
    return next.unref()
  }
  async function extend(): Promise<void> {
    try {
      const lockedUntil = await extendIdempotencyClaim(db, claim, LEASE_SECONDS)
      if (!lockedUntil) return
      claim = { ...claim, lockedUntil }
    } catch {
      // The next attempt may succeed. Until then, a repeated request may take over, which is safe.
    }
    if (!isEnded && performance.now() < heldUntil) timer = schedule()
  }
  return {
    async end() {
      isEnded = true
      clearTimeout(timer)
      await extending
      return claim
    },
  }
}
