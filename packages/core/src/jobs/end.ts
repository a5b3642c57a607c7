import type { ResultUsage, ServiceError, Warning } from '@subtext/contracts'
import {
  countFailure,
  endJob,
  endOwnJob,
  type Job,
  type JobEnd,
  type KeptBecause,
  keepUsedQuota,
  type Lease,
  lockOwnJob,
  recordUsage,
  recordWebhookEvent,
  releaseQuota,
  type Sql,
  type StoredResult,
  saveResult,
} from '@subtext/db'
import { v7 as newId } from 'uuid'
import { settleBatch } from '../batches/settle.ts'
import type { Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import type { WebhookEvent } from '../webhooks/event.ts'
import { buildFailedEvent } from './failed-event.ts'
import { wakeNextHeldJob } from './held-jobs.ts'

type EndContext = Pick<Context, 'db' | 'notifier' | 'log'> & { producer: Pick<Context['producer'], 'wakeJobs'> }

/**
 * Completes a job: writes its state, result, usage and webhook event in one transaction. False: the lease was lost and
 * nothing was written, so a job completes at most once.
 */
export async function completeJob(
  ctx: EndContext,
  lease: Lease,
  done: { result: StoredResult; warnings: Warning[]; event: WebhookEvent | null },
): Promise<boolean> {
  const { result, warnings, event } = done
  const end: JobEnd = { status: 'completed', error: null, warnings, completedAt: result.completedAt }
  const job = await endOnce(ctx, async (sql) => {
    const job = await endJob(sql, lease, end)
    if (!job) return null
    await saveResult(sql, result)
    return { job, event, usage: result.usage }
  })
  return job !== null
}

export interface Failure {
  error: ServiceError
  completedAt: Date
}

/** Fails a job for good: like `completeJob`, and returns the quota to the periods it was taken from. */
export async function failJob(ctx: EndContext, lease: Lease, failure: Failure): Promise<boolean> {
  const job = await endOnce(ctx, async (sql) => {
    const job = await endJob(sql, lease, failedEnd(failure))
    return job && { job, event: await recordFailure(sql, job, failure), usage: null }
  })
  return job !== null
}

/**
 * Fails a job for its owner, even while a worker has it. Otherwise like `failJob`, except that the job keeps its quota if it
 * has a finished summary, which the owner may have read, or if the language model was paid for it. Null: it had ended
 * already.
 */
export const failOwnJob = (ctx: EndContext, userId: string, jobId: string, failure: Failure): Promise<Job | null> =>
  endOnce(ctx, async (sql) => {
    // Summaries are added under a lock that conflicts with this one: either they are seen here or they are not added.
    if (!(await lockOwnJob(sql, userId, jobId))) return null
    const kept = await keepUsedQuota(sql, jobId)
    const warnings = kept ? [{ code: 'QUOTA_KEPT' as const, message: KEPT_MESSAGES[kept] }] : []
    const job = await endOwnJob(sql, userId, jobId, failedEnd(failure, warnings))
    return job && { job, event: await recordFailure(sql, job, failure, kept === null), usage: null }
  })

const KEPT_MESSAGES: Record<KeptBecause, string> = {
  summary_delivered: 'The video counts toward your quota, because a summary was finished before the job was cancelled.',
  model_paid:
    'The video counts toward your quota, because the language model had been used before the job was cancelled.',
}

const failedEnd = ({ error, completedAt }: Failure, warnings: Warning[] = []): JobEnd => {
  const stored = { code: error.code, message: error.message, retryable: error.retryable, details: error.details }
  return { status: 'failed', error: stored, warnings, completedAt }
}

async function recordFailure(
  sql: Sql,
  job: Job,
  { error, completedAt }: Failure,
  returnsQuota = true,
): Promise<WebhookEvent | null> {
  // The account before its quota, as when jobs are accepted: in the other order, the two could deadlock.
  await countFailure(sql, job.userId)
  if (returnsQuota) await releaseQuota(sql, job.id)
  return job.webhookUrl === null ? null : buildFailedEvent(job, error, completedAt)
}

interface Ended {
  job: Job
  event: WebhookEvent | null
  /** As shown in the result; null without one. */
  usage: ResultUsage | null
}

/**
 * The only way a job ends. In one transaction, `end` makes the guarded change and writes what belongs to it, or returns
 * null if it may not end the job; then the job's batch counts it. Notifications follow after the commit.
 */
async function endOnce(ctx: EndContext, end: (sql: Sql) => Promise<Ended | null>): Promise<Job | null> {
  const done = await ctx.db.transaction(async (sql) => {
    const ended = await end(sql)
    if (!ended) return null
    const { job, event } = ended
    if (event && job.webhookUrl) {
      const delivery = { deliveryId: newId(), userId: job.userId, subjectId: job.id, url: job.webhookUrl }
      await recordWebhookEvent(sql, { ...event, ...delivery })
    }
    await recordUsage(sql, job.id, ended.usage)
    return { job, events: [event, await settleBatch(sql, job)] }
  })
  if (!done) return null
  notify(ctx, 'job', done.job.id)
  for (const event of done.events) if (event) notify(ctx, 'delivery', event.id)
  await wakeNextHeldJob(ctx, done.job)
  return done.job
}
