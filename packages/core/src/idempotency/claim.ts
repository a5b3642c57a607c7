import { ServiceError } from '@subtext/contracts'
import {
  claimIdempotencyKey,
  findIdempotencyRecord,
  forgetIdempotencyKey,
  type IdempotencyClaim,
  type IdempotentRequest,
  keepIdempotentAnswer,
  unlockIdempotencyKey,
} from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'

/** After this long without an answer a request may be taken up anew. Safe at any length: both would make the same. */
const LOCK_SECONDS = 60
const LONGEST_RETRY_AFTER_SECONDS = 10
/** A key can be let go between our claim and our look at it; who meets that again and again is not alone with it. */
const MAX_LOOKS = 3

/** What is to be made, by an id chosen beforehand. */
export interface ReservedResource {
  id: string
  /** An earlier attempt may have made it: look before making it. */
  mayExist: boolean
}

/** The request is to be carried out (`claim`), or it has been (`answer`, as it was kept, about `resource`). */
export type IdempotentStart =
  | { claim: IdempotencyClaim; resource: ReservedResource }
  | { answer: string; resource: ReservedResource }

/** Errors: `IDEMPOTENCY_KEY_REUSED` (it came with another request), `IDEMPOTENCY_IN_PROGRESS`. */
export async function beginIdempotentRequest(
  ctx: Pick<Context, 'db'>,
  request: Omit<IdempotentRequest, 'resourceId'>,
): Promise<IdempotentStart> {
  const wanted = { ...request, resourceId: newId() }
  for (let look = 0; look < MAX_LOOKS; look++) {
    const claim = await claimIdempotencyKey(ctx.db, wanted, LOCK_SECONDS)
    if (claim) return { claim, resource: { id: claim.resourceId, mayExist: claim.takenOver } }
    const record = await findIdempotencyRecord(ctx.db, wanted, LOCK_SECONDS)
    if (!record) continue
    if (!record.sameRequest) throw new ServiceError('IDEMPOTENCY_KEY_REUSED')
    if (record.answer !== null) {
      return { answer: record.answer, resource: { id: record.resourceId, mayExist: true } }
    }
    if (record.secondsLeft > 0) throw inProgress(Math.min(record.heldSeconds, record.secondsLeft))
  }
  throw inProgress(1)
}

const inProgress = (seconds: number): ServiceError =>
  new ServiceError('IDEMPOTENCY_IN_PROGRESS', {
    retryAfterSeconds: Math.max(1, Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.ceil(seconds))),
  })

/** Keeps the answer for 24 hours. What was made is durable already: a failure here costs the caller nothing. */
export async function keepAnswer(
  ctx: Pick<Context, 'db' | 'log'>,
  claim: IdempotencyClaim,
  answer: string,
): Promise<void> {
  await keepIdempotentAnswer(ctx.db, claim, answer).catch((error: unknown) => warn(ctx, 'answer not kept', error))
}

/**
 * Ends a claim whose request failed. Refused by us, it has made nothing: the key is free for a corrected one. Anything
 * else may have taken effect: the key stays with this request and its resource, to be sent again. So does one that was
 * taken over, since its first holder may still be at it.
 */
export async function releaseClaim(
  ctx: Pick<Context, 'db' | 'log'>,
  claim: IdempotencyClaim,
  failure: unknown,
): Promise<void> {
  const refused = failure instanceof ServiceError && failure.status < 500 && !claim.takenOver
  try {
    if (refused && (await forgetIdempotencyKey(ctx.db, claim))) return
    await unlockIdempotencyKey(ctx.db, claim)
  } catch (error) {
    warn(ctx, 'idempotency key not released', error)
  }
}

const warn = ({ log }: Pick<Context, 'log'>, message: string, error: unknown): void =>
  log.warn(message, { error: (error as Error).message })
