import { ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { createInterruptibleSleep } from '../coordination/interruptible-sleep.ts'
import { findJobs, type OwnedId } from './find-sql.ts'
import type { ShownJob } from './job-row.ts'
import type { LookupContext } from './lookups.ts'
import { POLL_INTERVAL_MS } from './watch.ts'

export const hasEnded = ({ status }: Pick<ShownJob, 'status'>): boolean => status === 'completed' || status === 'failed'

type Owner = Pick<Actor, 'userId'>

async function getBy(
  find: (id: OwnedId) => Promise<ShownJob | null | undefined>,
  { userId }: Owner,
  jobId: string,
): Promise<ShownJob> {
  const job = isUuid(jobId) ? await find({ userId, jobId }) : null
  if (!job) throw new ServiceError('NOT_FOUND')
  return job
}

/** Returns a job of the actor. Error: `NOT_FOUND` for an unknown or malformed ID, or one of another account. */
export const getJob = ({ db }: Pick<Context, 'db'>, actor: Owner, jobId: string): Promise<ShownJob> =>
  getBy(async (id) => (await findJobs(db, [id]))[0], actor, jobId)

/** Like `getJob`, for callers that ask again and again: those that arrive together share a statement. */
export const getStatus = ({ lookups }: LookupContext, actor: Owner, jobId: string): Promise<ShownJob> =>
  getBy(lookups.find, actor, jobId)

/**
 * Like `getStatus`, but waits up to `seconds` for the job to end. Aborting `signal` ends the wait early; if its reason is a
 * `ServiceError`, that error is thrown.
 */
export async function awaitJob(
  ctx: LookupContext & Pick<Context, 'notifier'>,
  actor: Actor,
  jobId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<ShownJob> {
  const deadline = performance.now() + seconds * 1_000
  const pause = createInterruptibleSleep()
  const unsubscribe = ctx.notifier.subscribe('job', (id) => id === jobId && pause.wake())
  signal.addEventListener('abort', pause.wake, { once: true })
  try {
    for (;;) {
      if (signal.reason instanceof ServiceError) throw signal.reason
      const job = await getStatus(ctx, actor, jobId)
      const left = deadline - performance.now()
      if (hasEnded(job) || left <= 0 || signal.aborted) return job
      await pause.wait(Math.min(left, POLL_INTERVAL_MS))
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', pause.wake)
  }
}

/** Returns the error of a failed job, which is sent in place of its result. */
export function failureOf(job: ShownJob): ServiceError {
  const { code, message, details, retryable } = job.error ?? { code: 'INTERNAL_ERROR' as const }
  return new ServiceError(code, { message, details, retryable })
}

const RESULT_RETRY_AFTER_SECONDS = 2

/** Returns the error for a job that has to end first. */
export const refuseUnfinished = ({ status, progress }: ShownJob): ServiceError =>
  new ServiceError('JOB_NOT_COMPLETED', {
    details: { status, progress_percentage: progress },
    retryAfterSeconds: RESULT_RETRY_AFTER_SECONDS,
  })

/** Returns a completed job. Errors: `NOT_FOUND`, `JOB_NOT_COMPLETED`, and the job's own error if it failed. */
export async function getCompletedJob(ctx: Pick<Context, 'db'>, actor: Actor, jobId: string): Promise<ShownJob> {
  const job = await getJob(ctx, actor, jobId)
  if (job.status === 'failed') throw failureOf(job)
  if (job.status !== 'completed') throw refuseUnfinished(job)
  return job
}
