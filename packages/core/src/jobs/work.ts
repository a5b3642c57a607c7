import { type JobStep, ServiceError } from '@subtext/contracts'
import { claimJob, extendLease, type Job, type Lease, releaseJob, reportProgress } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'

export interface ClaimedJob {
  job: Job
  lease: Lease
}

/** Takes a job to work on it; null when there is nothing (left) to do for this task. */
export async function claimJobById(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  leaseSeconds: number,
): Promise<ClaimedJob | null> {
  const lease = { jobId, token: randomId() }
  const job = await claimJob(ctx.db, lease, leaseSeconds)
  return job && { job, lease }
}

/** Shows the owner where the work is; throws `LeaseLostError` when the job is not this worker's any more. */
export async function reportStep(
  ctx: Pick<Context, 'db' | 'signals'>,
  lease: Lease,
  step: JobStep,
  progress: number,
): Promise<void> {
  if (!(await reportProgress(ctx.db, lease, step, progress))) throw new LeaseLostError()
  ctx.signals.publish('progress', lease.jobId).catch(() => {}) // who follows the job also looks by himself
}

/** How soon a worker that cannot be told of a cancellation finds out. */
const LOOK_EVERY_MS = 1_000

/**
 * Prolongs the lease while `work` runs. Its signal is aborted when the lease was lost: the job was cancelled or somebody
 * else has it by then, and every write of ours would be refused. While the store is away nobody else can take the job, so
 * it stays ours until the store says otherwise. A `cancel` signal only makes it look at once: a hint may be late or wrong.
 */
export async function keepLease<T>(
  ctx: Pick<Context, 'db' | 'log' | 'signals'> & { producer: Pick<Context['producer'], 'isConnected'> },
  lease: Lease,
  leaseSeconds: number,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  let askedAt = performance.now()
  const prolong = async (): Promise<void> => {
    askedAt = performance.now()
    try {
      if (!(await extendLease(ctx.db, lease, leaseSeconds))) lost.abort(new LeaseLostError())
    } catch (error) {
      ctx.log.warn('lease not prolonged', { error: (error as Error).message })
      askedAt = Number.NEGATIVE_INFINITY
    }
  }
  const everyMs = (leaseSeconds * 1_000) / 3
  const lookMs = Math.min(everyMs, LOOK_EVERY_MS)
  const heartbeat = setInterval(() => {
    if (performance.now() - askedAt > everyMs - lookMs / 2 || !ctx.producer.isConnected()) void prolong()
  }, lookMs)
  const stopListening = ctx.signals.listen('cancel', (jobId) => jobId === lease.jobId && prolong())
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(heartbeat)
    stopListening()
  }
}

export class LeaseLostError extends Error {
  constructor() {
    super('The lease of the job was lost.')
    this.name = 'LeaseLostError'
  }
}

/** Whoever is asked to wait longer tries in between: a job must not lie about for hours. */
const LONGEST_WAIT_SECONDS = 300

/**
 * Seconds until a job is tried again after `error`, at least as long as the error itself asks within reason; null when
 * another try is pointless or the tries are used up.
 */
export function retryDelay(error: ServiceError, attempts: number, schedule: readonly number[]): number | null {
  const pause = isWorthRetrying(error) ? schedule[attempts - 1] : undefined
  return pause === undefined ? null : Math.max(pause, Math.min(error.retryAfterSeconds ?? 0, LONGEST_WAIT_SECONDS))
}

/** Errors that may pass within the minutes a job can wait. A live stream may pass too, but not that soon. */
const isWorthRetrying = (error: ServiceError): boolean =>
  error.retryable && error.status >= 500 && error.code !== 'PROCESSING_TIMEOUT'

/** Lets the job rest for `delaySeconds` before the next try. */
export const postponeJob = (ctx: Pick<Context, 'db'>, lease: Lease, delaySeconds: number): Promise<boolean> =>
  releaseJob(ctx.db, lease, { delaySeconds, refund: false })

/**
 * Gives the job back untouched, because this worker is leaving or has no room for it; a sweep finds it within a second, or
 * `delaySeconds` later.
 */
export const handBackJob = (ctx: Pick<Context, 'db'>, lease: Lease, delaySeconds = 0): Promise<boolean> =>
  releaseJob(ctx.db, lease, { delaySeconds, refund: true })

/** Any error as one that may be shown. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR', { cause: error })
