import type { ServiceError, Warning, WebhookEventType } from '@subtext/contracts'
import {
  endJob,
  type Job,
  type JobEnd,
  type Lease,
  recordUsage,
  recordWebhookEvent,
  releaseQuota,
  type Sql,
  type StoredResult,
  saveResult,
} from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'

/** The event of a job's end; the same id and bytes go to the receiver at every attempt. */
export interface JobEvent {
  id: string
  type: WebhookEventType
  createdAt: Date
  body: Buffer
}

type EndContext = Pick<Context, 'db' | 'signals' | 'log'>

/**
 * Completes a job: state, result, usage and webhook event in one transaction, once. False: the lease was lost, and
 * nothing was written.
 */
export async function completeJob(
  ctx: EndContext,
  lease: Lease,
  done: { result: StoredResult; warnings: Warning[]; event: JobEvent | null },
): Promise<boolean> {
  const { result, warnings, event } = done
  const end: JobEnd = { status: 'completed', error: null, warnings, completedAt: result.completedAt }
  return endOnce(ctx, lease, end, event, async (sql, job) => {
    await saveResult(sql, result)
    await recordUsage(sql, {
      ...ownerOf(job),
      outcome: 'completed',
      inputTokens: result.usage.input_tokens,
      outputTokens: result.usage.output_tokens,
      cachedInputTokens: result.usage.cached_input_tokens,
      costUsd: result.usage.cost_usd,
    })
  })
}

/** Fails a job for good: as `completeJob`, and the quota goes back to the periods it came from. */
export async function failJob(
  ctx: EndContext,
  lease: Lease,
  failure: { error: ServiceError; completedAt: Date; event: JobEvent | null },
): Promise<boolean> {
  const { error, completedAt, event } = failure
  const stored = { code: error.code, message: error.message, retryable: error.retryable, details: error.details }
  const end: JobEnd = { status: 'failed', error: stored, warnings: [], completedAt }
  return endOnce(ctx, lease, end, event, async (sql, job) => {
    await releaseQuota(sql, job.id)
    await recordUsage(sql, {
      ...ownerOf(job),
      outcome: 'failed',
      inputTokens: 0,
      outputTokens: 0,
      cachedInputTokens: 0,
      costUsd: 0,
    })
  })
}

const ownerOf = (job: Job) => ({ jobId: job.id, userId: job.userId, apiKeyId: job.apiKeyId })

async function endOnce(
  ctx: EndContext,
  lease: Lease,
  end: JobEnd,
  event: JobEvent | null,
  writeRest: (sql: Sql, job: Job) => Promise<void>,
): Promise<boolean> {
  const job = await ctx.db.transaction(async (sql) => {
    const ended = await endJob(sql, lease, end)
    if (!ended) return null
    await writeRest(sql, ended)
    if (event && ended.webhookUrl) {
      await recordWebhookEvent(sql, {
        ...event,
        deliveryId: newId(),
        userId: ended.userId,
        subjectId: ended.id,
        url: ended.webhookUrl,
      })
    }
    return ended
  })
  if (!job) return false
  const hints = [ctx.signals.publish('job', job.id), ...(event ? [ctx.signals.publish('delivery', event.id)] : [])]
  for (const hint of await Promise.allSettled(hints)) {
    if (hint.status === 'rejected') ctx.log.warn('signal lost', { error: (hint.reason as Error).message })
  }
  return true
}
