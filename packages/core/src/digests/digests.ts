import { type CreateDigest, type DigestStatus, ServiceError } from '@subtext/contracts'
import { validate as isUuid, v7 as newId } from 'uuid'
import { getBatch } from '../batches/get.ts'
import type { Actor, Context } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertBatchesIncluded } from '../plans/gates.ts'
import { findSpent, type SpendingContext } from '../spending/admit.ts'
import { findDigest, insertDigest, type StoredDigest } from './digests-sql.ts'

const RETRY_AFTER_SECONDS = 2

/** What is known of a digest that has just been requested. */
export interface RequestedDigest {
  id: string
  batchId: string
  status: DigestStatus
  createdAt: Date
}

/**
 * Stores a digest of a batch of the actor, to be made by a worker. With `reserved`, any number of calls make one. Errors:
 * `PLAN_UPGRADE_REQUIRED`, `NOT_FOUND`, `JOB_NOT_COMPLETED` while the batch has not ended, `QUOTA_EXCEEDED` for a spending limit
 * that is used up.
 */
export async function createDigest(
  ctx: SpendingContext,
  actor: Actor,
  batchId: string,
  { instructions, output_language }: CreateDigest,
  reserved?: ReservedResource,
): Promise<RequestedDigest> {
  assertBatchesIncluded(actor)
  const { batch } = await getBatch(ctx, actor, batchId)
  if (batch.status === 'processing') {
    throw new ServiceError('JOB_NOT_COMPLETED', {
      message: 'The batch has not ended. Ask for the digest when it has, or submit it with `digest: true`.',
      details: { status: 'processing', progress_percentage: batch.progress },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  const earlier = reserved?.mayExist ? await findDigest(ctx.db, actor.userId, reserved.id) : null
  if (earlier) return earlier
  const spent = await findSpent(ctx, actor)
  if (spent) throw spent
  const id = reserved?.id ?? newId()
  const now = ctx.clock()
  const { userId, apiKeyId } = actor
  const wanted = { instructions: instructions ?? null, outputLanguage: output_language ?? null }
  await insertDigest(ctx.db, { id, userId, apiKeyId, batchId: batch.id, ...wanted, now })
  return { id, batchId: batch.id, status: 'queued', createdAt: now }
}

/** Returns a digest of the actor. Error: `NOT_FOUND` for an unknown or malformed ID, or one of another account. */
export async function getDigest(
  ctx: Pick<Context, 'db'>,
  { userId }: Pick<Actor, 'userId'>,
  digestId: string,
): Promise<StoredDigest> {
  const digest = isUuid(digestId) ? await findDigest(ctx.db, userId, digestId) : null
  if (!digest) throw new ServiceError('NOT_FOUND')
  return digest
}
