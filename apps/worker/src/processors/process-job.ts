import { ServiceError } from '@subtext/contracts'
import { isDatabaseUnavailable, retryThroughOutage } from '@subtext/core/coordination'
import {
  type ClaimedJob,
  completeJob,
  createRequestCount,
  createStepReporter,
  failJob,
  getJob,
  handBackJob,
  keepLease,
  LeaseLostError,
  letJobWait,
  postponeJob,
  type RequestCount,
  retryDelay,
  toServiceError,
  waitDelay,
} from '@subtext/core/jobs'
import type { LaneCapacity } from '@subtext/queue'
import { type Span, withLogFields, withSpan } from '@subtext/runtime'
import { EgressesRestingError, LastingBlockError, observeRequests } from '@subtext/youtube'
import type { WorkerContext } from '../context.ts'
import type { JobAttemptOutcome, JobMetrics } from '../metrics.ts'
import { buildCompletedEvent } from '../pipeline/build-event.ts'
import { NoCapacityError } from '../pipeline/large-videos.ts'
import { processVideo } from '../pipeline/process-video.ts'
import { timeSteps } from './time-steps.ts'

/** A job that kills its worker every time must not circulate forever. */
const MAX_DEATHS = 5

/**
 * Claims the job, or a job of another account if this account already has its share of the lane. Processes it until it is
 * completed, failed or left for a later attempt. Writes one log line. Returns false if there was no job to claim. Rejects if the
 * database is unavailable for the claim.
 */
export async function processJob(
  ctx: WorkerContext,
  jobId: string,
  stopping: AbortSignal,
  capacity?: LaneCapacity,
): Promise<boolean> {
  const claimed = await ctx.claim(jobId, capacity)
  if (!claimed) return false
  const { job, origin } = claimed
  countStart(ctx.metrics.jobs, claimed)
  const attributes = {
    'messaging.system': 'subtext',
    'messaging.operation.type': 'process',
    'messaging.destination.name': job.lane,
    'messaging.message.id': job.id,
    'subtext.attempt': job.attempts,
  }
  await withLogFields({ job_id: job.id, request_id: origin?.requestId ?? undefined }, () =>
    withSpan('process job', { kind: 'consumer', parent: origin?.traceparent ?? null, attributes }, (span) =>
      attempt(ctx, claimed, stopping, span).catch((error: unknown) => {
        // The database was unavailable, so nothing was written. The job becomes due again when its lease or its pause ends.
        span.fail('left_unfinished')
        ctx.log.warn('job left unfinished', { error })
      }),
    ),
  )
  return true
}

/** Works on the job and reports how that ended, in one log line, in the metrics and in the span. */
async function attempt(ctx: WorkerContext, claimed: ClaimedJob, stopping: AbortSignal, span: Span): Promise<void> {
  const { job } = claimed
  const { lane } = job
  const started = performance.now()
  const requests = createRequestCount()
  const report = await observeRequests(requests.add, () => workOn(ctx, { ...claimed, requests }, stopping))
  const { outcome, error } = await explainLoss(ctx, claimed, report)
  const durationMs = performance.now() - started
  ctx.metrics.jobs.attemptEnded({ lane, outcome }, durationMs / 1_000)
  span.setAttributes({ 'subtext.outcome': outcome })
  if (error) span.fail(error.code)
  ctx.log.info('job', {
    outcome,
    attempt: job.attempts,
    lane,
    video_id: job.videoId,
    duration_ms: Math.round(durationMs),
    ...(error && { error_code: error.code }),
    ...(error?.cause !== undefined && { error: error.cause }),
  })
}

function countStart({ waited, tookOver }: JobMetrics, { job, tookOver: wasTakenOver }: ClaimedJob): void {
  const { lane, createdAt, startedAt } = job
  if (wasTakenOver) tookOver({ lane })
  // Only the first claim of a job starts it.
  if (startedAt && startedAt.getTime() === job.updatedAt.getTime()) {
    waited({ lane }, Math.max(0, startedAt.getTime() - createdAt.getTime()) / 1_000)
  }
}

interface WorkReport {
  outcome: JobAttemptOutcome
  error?: ServiceError
}

/** Distinguishes a job that its owner cancelled from one that was lost to another worker. */
async function explainLoss(ctx: WorkerContext, { job }: ClaimedJob, report: WorkReport): Promise<WorkReport> {
  if (report.outcome !== 'lease_lost') return report
  const found = await getJob(ctx, job, job.id).catch(() => null) // The database is unavailable, so the job is reported as lost.
  return found?.error?.code === 'JOB_CANCELLED' ? { outcome: 'cancelled' } : report
}

/** One attempt at a job. */
interface Try extends ClaimedJob {
  requests: RequestCount
}

async function workOn(ctx: WorkerContext, claimed: Try, stopping: AbortSignal): Promise<WorkReport> {
  const { job, lease, requests, plan, look } = claimed
  if (job.deaths >= MAX_DEATHS) return giveUp(ctx, claimed, new ServiceError('INTERNAL_ERROR', { retryable: false }))
  const timeout = AbortSignal.timeout(ctx.work.timeoutMs)
  const steps = createStepReporter(ctx, lease, requests)
  const durations = timeSteps(ctx.metrics.jobs)
  try {
    const completed = await keepLease(ctx, lease, ctx.work.leaseSeconds, async (lost) => {
      return processVideo(ctx, job, {
        plan,
        look,
        report(step, ...reported) {
          durations.enter(step)
          return steps.report(step, ...reported)
        },
        signal: AbortSignal.any([lost, stopping, timeout]),
        async conclude(done) {
          const { result, warnings, basis, unsaved, entry, thumbnail: file } = done
          const event = job.webhookUrl === null ? null : await buildCompletedEvent(ctx, job, done)
          steps.close()
          return requests.report((platformRequests) =>
            completeJob(ctx, claimed, { result, warnings, event, basis, platformRequests, unsaved, file, entry }),
          )
        },
      })
    })
    return { outcome: completed ? 'completed' : 'lease_lost' }
  } catch (thrown) {
    if (thrown instanceof LeaseLostError) return { outcome: 'lease_lost' }
    if (thrown instanceof NoCapacityError) {
      const released = await requests.report((count) => handBackJob(ctx, lease, thrown.retryAfterSeconds, count))
      return { outcome: released ? 'handed_back' : 'lease_lost' }
    }
    const ending = AbortSignal.any([stopping, timeout])
    // The job is not to blame for a stopping worker or an unavailable database.
    if (stopping.aborted || isDatabaseUnavailable(thrown)) {
      const released = await retryThroughOutage(ending, () =>
        requests.report((count) => handBackJob(ctx, lease, 0, count)),
      )
      return { outcome: released ? 'handed_back' : 'lease_lost' }
    }
    const error = timeout.aborted ? new ServiceError('PROCESSING_TIMEOUT', { cause: thrown }) : toServiceError(thrown)
    // A job that is not released would count as one whose worker died.
    return retryThroughOutage(ending, async () => {
      await steps.flush()
      return tryLater(ctx, claimed, error)
    }).catch(reportLoss)
  } finally {
    durations.end()
    steps.close()
  }
}

function reportLoss(error: unknown): WorkReport {
  if (error instanceof LeaseLostError) return { outcome: 'lease_lost' }
  throw error
}

/** Releases the job until its next attempt or, while no egress is available, until one is. Fails it if it has no attempts left. */
async function tryLater(ctx: WorkerContext, claimed: Try, error: ServiceError): Promise<WorkReport> {
  const { job, lease, requests } = claimed
  const { maxWaitSeconds, retrySchedule } = ctx.work
  if (error instanceof LastingBlockError) return giveUp(ctx, claimed, error)
  const waits = maxWaitSeconds > 0 && error instanceof EgressesRestingError
  const delay = waits
    ? waitDelay(job, error.retryAt, { maxSeconds: maxWaitSeconds, now: ctx.clock(), random: Math.random() })
    : retryDelay(error, job.attempts, retrySchedule)
  if (delay === null) return giveUp(ctx, claimed, error)
  const release = waits ? letJobWait : postponeJob
  const released = await requests.report((count) => release(ctx, lease, delay, count))
  if (!released) return { outcome: 'lease_lost' }
  return { outcome: waits ? 'waiting' : 'postponed', error }
}

async function giveUp(ctx: WorkerContext, { lease, requests }: Try, error: ServiceError): Promise<WorkReport> {
  const completedAt = ctx.clock()
  const failed = await requests.report((platformRequests) =>
    failJob(ctx, lease, { error, completedAt, platformRequests }),
  )
  return { outcome: failed ? 'failed' : 'lease_lost', error }
}
