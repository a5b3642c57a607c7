import { type BatchReceipt, type ConversationReceipt, type JobReceipt, ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import { findBatch } from '../batches/index.ts'
import type { Actor, Context } from '../context.ts'
import { buildChatLine, buildDeletedLines, buildJobLines } from './job-lines.ts'
import {
  type BilledJob,
  findBilledJobs,
  findDeletedCosts,
  hasUnfinishedDigest,
  listBilledBatch,
  listConversationUsage,
  listDeletedOfBatch,
  listDigestsOfBatch,
} from './receipts-sql.ts'
import { totalLines } from './total.ts'

type ReceiptContext = Pick<Context, 'db'>

/** Returns the receipt of a job of the actor. Error: `NOT_FOUND` for an unknown or malformed ID, or one of another account. */
export async function getJobReceipt(ctx: ReceiptContext, actor: Actor, jobId: string): Promise<JobReceipt> {
  const [job] = isUuid(jobId) ? await findBilledJobs(ctx.db, actor.userId, [jobId]) : []
  if (!job) return getDeletedReceipt(ctx, actor, jobId)
  return {
    ...describeBilledJob(job),
    status: job.status,
    is_final: job.completedAt !== null,
    ...(job.completedAt && { ended_at: job.completedAt.toISOString() }),
    ...totalLines(buildJobLines(job)),
  }
}

/** Returns what is left of the receipt of a deleted job. */
async function getDeletedReceipt(ctx: ReceiptContext, { userId }: Actor, jobId: string): Promise<JobReceipt> {
  const [costs] = isUuid(jobId) ? await findDeletedCosts(ctx.db, userId, [jobId]) : []
  if (!costs) throw new ServiceError('NOT_FOUND')
  const { outcome: status, at } = costs
  return {
    job_id: costs.jobId,
    status,
    is_final: true,
    ended_at: at.toISOString(),
    ...totalLines(buildDeletedLines(costs)),
  }
}

/** Returns what a receipt says about its job. */
export const describeBilledJob = ({ id, videoId, batchId, derivedFrom, clientReference }: BilledJob) => ({
  job_id: id,
  video_id: videoId,
  ...(batchId !== null && { batch_id: batchId }),
  ...(derivedFrom !== null && { derived_from: derivedFrom }),
  ...(clientReference !== null && { client_reference: clientReference }),
})

/** Returns the receipt of a batch of the actor. Error: as for a job. */
export async function getBatchReceipt(ctx: ReceiptContext, actor: Actor, batchId: string): Promise<BatchReceipt> {
  const found = isUuid(batchId) ? await findBatch(ctx.db, actor.userId, batchId) : null
  if (!found) throw new ServiceError('NOT_FOUND')
  // Before the costs: a digest that has ended has stored its own.
  const isDigesting = await hasUnfinishedDigest(ctx.db, batchId)
  const jobs = await listBilledBatch(ctx.db, actor.userId, batchId)
  const deleted = await listDeletedOfBatch(ctx.db, actor.userId, batchId)
  const lines = [
    ...jobs.flatMap((job) => buildJobLines(job).map((line) => ({ ...line, job_id: job.id }))),
    ...deleted.flatMap((costs) => buildDeletedLines(costs).map((line) => ({ ...line, job_id: costs.jobId }))),
    ...(await listDigestsOfBatch(ctx.db, actor.userId, batchId)).map(({ digestId, ...entry }) => ({
      ...buildChatLine({ ...entry, digestId }),
      ...(digestId !== null && { digest_id: digestId }),
    })),
  ]
  return {
    batch_id: found.batch.id,
    status: found.batch.status,
    is_final: !isDigesting && jobs.every(({ completedAt }) => completedAt !== null),
    ...totalLines(lines),
  }
}

/** Returns the receipt of a conversation about a job of the actor. Error: as for a job, or if nothing has been answered. */
export async function getConversationReceipt(
  ctx: ReceiptContext,
  { userId }: Actor,
  jobId: string,
  conversationId: string,
): Promise<ConversationReceipt> {
  const isPlausible = isUuid(jobId) && isUuid(conversationId)
  const entries = isPlausible ? await listConversationUsage(ctx.db, { userId, jobId, conversationId }) : []
  if (entries.length === 0) throw new ServiceError('NOT_FOUND')
  const lines = entries.map((entry) => ({
    ...buildChatLine(entry),
    ...(entry.messageId !== null && { message_id: entry.messageId }),
  }))
  return { job_id: jobId, conversation_id: conversationId, ...totalLines(lines) }
}
