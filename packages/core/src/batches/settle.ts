import { countBatchEnd, endBatch, type Job, listBatchJobs, recordWebhookEvent, type Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { buildJobEvent, type JobEvent } from '../jobs/event.ts'
import { describeBatchJob, describeBatchStats } from './describe.ts'
import { batchOutcome } from './outcome.ts'

/**
 * Counts the end of a job for its batch; the last one ends the batch and records its event, where one is wanted. Returns
 * that event. The batch is wanted by all its jobs: this comes last in the transaction that ends the job, after every other
 * lock, so that two of them cannot wait for each other.
 */
export async function settleBatch(sql: Sql, { batchId, status }: Job): Promise<JobEvent | null> {
  if (batchId === null) return null
  const batch = await countBatchEnd(sql, batchId, status === 'completed')
  if (!batch || batch.pending > 0) return null

  const outcome = batchOutcome(batch)
  const completedAt = await endBatch(sql, batchId, outcome)
  if (!completedAt || batch.webhookUrl === null) return null
  // Whoever counted before has committed, since the count was waited for.
  const jobs = await listBatchJobs(sql, batchId)
  const data = {
    batch_id: batchId,
    status: outcome,
    summary_stats: describeBatchStats({ ...batch, processing: 0 }),
    jobs: jobs.map(describeBatchJob),
  }
  const event = buildJobEvent('batch.completed', completedAt, [Buffer.from(JSON.stringify(data))])
  await recordWebhookEvent(sql, {
    ...event,
    deliveryId: newId(),
    userId: batch.userId,
    subjectId: batchId,
    url: batch.webhookUrl,
  })
  return event
}
