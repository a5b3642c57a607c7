import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Job } from '../jobs/job-row.ts'
import { buildEvent, type WebhookEvent } from '../webhooks/event.ts'
import { recordWebhookEvent } from '../webhooks/index.ts'
import { countEndedJob, endBatch, listBatchJobs } from './batches-sql.ts'
import { describeBatchJob, describeBatchStats } from './describe.ts'
import { batchOutcome } from './outcome.ts'

/**
 * Counts the end of a job for its batch. The last job ends the batch and records the batch's event, if it has a webhook;
 * returns that event. All jobs of a batch compete for its row, so this must be the last lock that the transaction takes:
 * two ending jobs can then never wait for each other.
 */
export async function settleBatch(
  sql: Sql,
  { batchId, status }: Pick<Job, 'batchId' | 'status'>,
): Promise<WebhookEvent | null> {
  if (batchId === null) return null
  const batch = await countEndedJob(sql, batchId, status === 'completed')
  if (!batch || batch.pending > 0) return null

  const outcome = batchOutcome(batch)
  const completedAt = await endBatch(sql, batchId, outcome)
  if (!completedAt || batch.webhookUrl === null) return null
  // All other jobs are committed: counting this one waited for them.
  const jobs = await listBatchJobs(sql, batchId)
  const event = buildEvent('batch.completed', completedAt, {
    batch_id: batchId,
    status: outcome,
    summary_stats: describeBatchStats({ ...batch, processing: 0 }),
    jobs: jobs.map(describeBatchJob),
  })
  await recordWebhookEvent(sql, {
    ...event,
    deliveryId: newId(),
    userId: batch.userId,
    subjectId: batchId,
    url: batch.webhookUrl,
  })
  return event
}
