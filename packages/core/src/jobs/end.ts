import type { ServiceError, Warning } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import { settleBatch } from '../batches/settle.ts'
import type { RegisteredBlob } from '../blobs/index.ts'
import type { Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import type { NewEntry } from '../library/index.ts'
import type { UnsavedWork } from '../summaries/index.ts'
import { type KeptBecause, keepUsedQuota, recordUsage, releaseQuota } from '../usage/index.ts'
import type { WebhookEvent } from '../webhooks/event.ts'
import { type NewWebhookEvent, recordWebhookEvent } from '../webhooks/index.ts'
import type { ClaimedJob } from './claim.ts'
import { completeJobs, lockResultBasis, type ResultBasis } from './complete-sql.ts'
import { endJob, endOwnJob, type JobEnd, lockOwnJob } from './end-sql.ts'
import { buildFailedEvent } from './failed-event.ts'
import { wakeJob, wakeNextHeldJob } from './held-jobs.ts'
import type { Job, Lease, WakeableJob } from './job-row.ts'
import { countFailure } from './list-sql.ts'
import type { StoredResult } from './result-sql.ts'

type EndContext = Pick<Context, 'db' | 'notifier' | 'log'> & { producer: Pick<Context['producer'], 'wakeJobs'> }

/**
 * Thrown if a job has work that its result lacks, because a worker that held the job before has added to it in the meantime.
 */
export class StaleResultError extends Error {
  constructor() {
    super('The job has more than its result says.')
    this.name = 'StaleResultError'
  }
}

export interface Completion {
  result: StoredResult
  warnings: Warning[]
  event: WebhookEvent | null
  /** What the result is based on. */
  basis?: ResultBasis
  /** Requests to the platform since the last report. */
  platformRequests?: number
  /** A file of the job that has been stored. */
  file?: RegisteredBlob | null
  /** Summaries of the job that are not stored yet. */
  unsaved?: UnsavedWork | null
  /** What the library of the account has of the job. */
  entry?: NewEntry | null
}

/**
 * Completes a job: writes its state, result, usage and webhook event together. Returns false if the lease was lost and nothing
 * was written, so a job completes at most once. Throws `StaleResultError`, and writes nothing, if another worker that had the
 * job before has added to it since the result was built.
 */
export async function completeJob(ctx: EndContext, { job, lease }: ClaimedJob, done: Completion): Promise<boolean> {
  const event = job.webhookUrl === null ? null : done.event
  const basis = job.attempts > 1 || job.deaths > 0 ? done.basis : undefined
  const complete = async (sql: Sql): Promise<Ended | null> => {
    if (basis && !(await isCurrent(sql, lease, basis))) return null
    const completion = { ...done, lease, event: event && addressEvent(event, job) }
    const { completed, woken } = await completeJobs(sql, [completion])
    return completed.length > 0 ? { job: { ...job, status: 'completed' }, event, woken: woken[0] ?? null } : null
  }
  // A job that is in no batch and that no other worker has held ends in one statement.
  const ended = await (job.batchId !== null || basis ? endInTransaction(ctx, complete) : complete(ctx.db))
  if (ended) await announceEnd(ctx, ended)
  return ended !== null
}

/** Returns false if the lease was lost. Throws `StaleResultError` if the job has more than the result is based on. */
async function isCurrent(sql: Sql, lease: Lease, basis: ResultBasis): Promise<boolean> {
  const current = await lockResultBasis(sql, lease)
  if (current && (current.summaries !== basis.summaries || current.spendings !== basis.spendings)) {
    throw new StaleResultError()
  }
  return current !== null
}

export interface Failure {
  error: ServiceError
  completedAt: Date
  /** Requests to the platform since the last report. */
  platformRequests?: number
}

/** Fails a job for good: like `completeJob`, and returns the quota to the periods it was taken from. */
export async function failJob(ctx: EndContext, lease: Lease, failure: Failure): Promise<boolean> {
  const ended = await endInTransaction(ctx, async (sql) => {
    const job = await endJob(sql, lease, failedEnd(failure))
    return job && recordFailure(sql, job, failure)
  })
  if (ended) await announceEnd(ctx, ended)
  return ended !== null
}

/**
 * Fails a job for its owner, even while a worker has it. Otherwise like `failJob`, except that the job keeps its quota if it
 * has a finished summary, which the owner may have read, or if the language model was paid for it. Returns null if it had
 * already ended.
 */
export async function failOwnJob(
  ctx: EndContext,
  userId: string,
  jobId: string,
  failure: Failure,
): Promise<Job | null> {
  const ended = await endInTransaction(ctx, async (sql) => {
    // Summaries are added under a lock that conflicts with this one: either they are seen here or they are not added.
    if (!(await lockOwnJob(sql, userId, jobId))) return null
    const kept = await keepUsedQuota(sql, jobId)
    const warnings = kept ? [{ code: 'QUOTA_KEPT' as const, message: KEPT_MESSAGES[kept] }] : []
    const job = await endOwnJob(sql, userId, jobId, failedEnd(failure, warnings))
    return job && recordFailure(sql, job, failure, kept === null)
  })
  if (ended) await announceEnd(ctx, ended)
  return ended ? ended.job : null
}

const KEPT_MESSAGES: Record<KeptBecause, string> = {
  summary_delivered: 'The video counts toward your quota, because a summary was finished before the job was cancelled.',
  model_paid:
    'The video counts toward your quota, because the language model had been used before the job was cancelled.',
}

const failedEnd = ({ error, completedAt, platformRequests }: Failure, warnings: Warning[] = []): JobEnd => {
  const stored = { code: error.code, message: error.message, retryable: error.retryable, details: error.details }
  return { status: 'failed', error: stored, warnings, completedAt, platformRequests }
}

/** Writes everything that follows from a failure. */
async function recordFailure(
  sql: Sql,
  job: Job,
  { error, completedAt }: Failure,
  returnsQuota = true,
): Promise<Ended<Job>> {
  // Locks the account before its quota, as when jobs are accepted: in the other order, the two could deadlock.
  await countFailure(sql, job.userId)
  if (returnsQuota) await releaseQuota(sql, job.id)
  const event = job.webhookUrl === null ? null : buildFailedEvent(job, error, completedAt)
  if (event) await recordWebhookEvent(sql, addressEvent(event, job))
  await recordUsage(sql, job.id)
  return { job, event }
}

/** Adds the receiver to an event about a job with a webhook. */
const addressEvent = (event: WebhookEvent, { id, userId, webhookUrl }: Job): NewWebhookEvent => ({
  ...event,
  deliveryId: newId(),
  userId,
  subjectId: id,
  url: webhookUrl ?? '',
})

/** What follows from the end of a job needs of it. */
type EndedJob = Pick<Job, 'id' | 'userId' | 'lane' | 'batchId' | 'status'>

interface Ended<J extends EndedJob = EndedJob> {
  job: J
  event: WebhookEvent | null
  /** The held job to be woken. Undefined if it has not been looked up yet. */
  woken?: WakeableJob | null
  batchEvent?: WebhookEvent | null
}

/**
 * Ends a job in a transaction: `end` makes the guarded change and writes what belongs to it, or returns null if it may not
 * end the job; then the job's batch counts it.
 */
function endInTransaction<J extends EndedJob>(
  ctx: EndContext,
  end: (sql: Sql) => Promise<Ended<J> | null>,
): Promise<Ended<J> | null> {
  return ctx.db.transaction(async (sql) => {
    const ended = await end(sql)
    return ended && { ...ended, batchEvent: await settleBatch(sql, ended.job) }
  })
}

/** Notifies other processes once the end of a job is committed, and wakes a job that waited for it. */
async function announceEnd(ctx: EndContext, { job, event, woken, batchEvent }: Ended): Promise<void> {
  notify(ctx, 'job', job.id)
  for (const each of [event, batchEvent]) if (each) notify(ctx, 'delivery', each.id)
  if (woken) wakeJob(ctx, woken)
  if (woken === undefined) await wakeNextHeldJob(ctx, job)
}
