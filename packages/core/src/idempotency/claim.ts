import { ServiceError } from '@subtext/contracts'
import { isDatabaseUnavailable } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import type { PersistWrite } from '../coordination/retry-through-outage.ts'
import {
  claimIdempotencyKey,
  deleteIdempotencyKey,
  findIdempotencyRecord,
  type IdempotencyClaim,
  type IdempotentRequest,
  storeIdempotentReply,
  unlockIdempotencyKey,
} from './claim-sql.ts'
import { type HeldClaim, holdClaim, LEASE_SECONDS } from './held-claim.ts'

/** How long a write that ends a claim is repeated while the database is unavailable. */
const SETTLE_MS = 60_000
const MAX_RETRY_AFTER_SECONDS = 10
/** A key can be released between our claim and our read. If that keeps happening, other requests are using the key too. */
const MAX_TRIES = 3

/** A resource whose ID was reserved before it is created, so that repeated calls create it once. */
export interface ReservedResource {
  id: string
  /** An earlier attempt may have created it: look for it first. */
  mayExist: boolean
}

/** Either the request must be carried out (`claim`), or it has been, with the stored `reply` about `resource`. */
export type IdempotentStart =
  | { claim: HeldClaim; resource: ReservedResource }
  | { reply: string; resource: ReservedResource }

/**
 * Claims the idempotency key of a request, or returns the reply stored for it. Errors: `IDEMPOTENCY_KEY_REUSED` (the key
 * came with a different request before), `IDEMPOTENCY_IN_PROGRESS`.
 */
export async function beginIdempotentRequest(
  ctx: Pick<Context, 'db'>,
  request: Omit<IdempotentRequest, 'resourceId'>,
): Promise<IdempotentStart> {
  const wanted = { ...request, resourceId: newId() }
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const claim = await claimIdempotencyKey(ctx.db, wanted, LEASE_SECONDS)
    if (claim) {
      return { claim: holdClaim(ctx, claim), resource: { id: claim.resourceId, mayExist: claim.takenOver } }
    }
    const record = await findIdempotencyRecord(ctx.db, wanted)
    if (!record) continue
    if (!record.sameRequest) throw new ServiceError('IDEMPOTENCY_KEY_REUSED')
    if (record.reply !== null) {
      return { reply: record.reply, resource: { id: record.resourceId, mayExist: true } }
    }
    if (record.secondsLeft > 0) throw inProgress(record.ageSeconds)
  }
  throw inProgress(1)
}

const inProgress = (seconds: number): ServiceError =>
  new ServiceError('IDEMPOTENCY_IN_PROGRESS', {
    retryAfterSeconds: Math.max(1, Math.min(MAX_RETRY_AFTER_SECONDS, Math.ceil(seconds))),
  })

export interface SettleContext extends Pick<Context, 'db' | 'log'> {
  /** Repeats a write while the database is unavailable. */
  persist: PersistWrite
}

/** Stores the reply for 24 hours. Failures are only logged, because the resource itself is durable already. */
export const keepReply = (ctx: SettleContext, held: HeldClaim, reply: string): Promise<void> =>
  settle(ctx, held, 'reply not stored', (claim) => storeIdempotentReply(ctx.db, claim, reply))

/**
 * Releases the claim of a request that failed. A refusal created nothing, so the key becomes free for a corrected request.
 * After any other failure the request may have taken effect, so the key stays bound to it and its resource, and the caller
 * can send it again. The same holds for a claim that was taken over, because its first holder may still be running.
 */
export const releaseClaim = (ctx: SettleContext, held: HeldClaim, failure: unknown): Promise<void> =>
  settle(ctx, held, 'idempotency key not released', async (claim) => {
    const refused = failure instanceof ServiceError && failure.status < 500 && !claim.takenOver
    if (refused && (await deleteIdempotencyKey(ctx.db, claim))) return
    await unlockIdempotencyKey(ctx.db, claim)
  })

/**
 * Ends a claim. While the database is unavailable or read-only, repeats the write without making the caller wait. Another
 * process may take the key over meanwhile; the write then changes nothing.
 */
async function settle(
  ctx: SettleContext,
  held: HeldClaim,
  warning: string,
  settleClaim: (claim: IdempotencyClaim) => Promise<unknown>,
): Promise<void> {
  const warn = (error: unknown): void => ctx.log.warn(warning, { error: (error as Error).message })
  const claim = await held.end()
  const write = (): Promise<unknown> => settleClaim(claim)
  try {
    await write()
  } catch (error) {
    warn(error)
    if (isDatabaseUnavailable(error)) ctx.persist(AbortSignal.timeout(SETTLE_MS), write).catch(warn)
  }
}
