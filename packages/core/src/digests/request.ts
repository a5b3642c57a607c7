import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { findDigestOfBatch, insertDigest } from './digests-sql.ts'

/** Has a digest made when a batch has ended, once. */
export async function requestBatchDigest(
  ctx: Pick<Context, 'db' | 'clock'>,
  { userId, apiKeyId }: Pick<Actor, 'userId' | 'apiKeyId'>,
  batchId: string,
): Promise<void> {
  if (await findDigestOfBatch(ctx.db, batchId)) return
  const wanted = { instructions: null, outputLanguage: null }
  await insertDigest(ctx.db, { id: newId(), userId, apiKeyId, batchId, ...wanted, now: ctx.clock() })
}
