import { ServiceError } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { getJob, hasEnded, refuseUnfinished } from '../jobs/index.ts'
import { deleteUnusedCache } from './cache-retention-sql.ts'
import { deleteEndedJob } from './delete-job-sql.ts'

const DERIVED_RETRY_AFTER_SECONDS = 10

/**
 * Deletes a job of the actor that has ended, with everything that it holds, and what it alone used of the cache. Errors:
 * `NOT_FOUND` for an unknown or malformed ID, or one of another account; `JOB_NOT_COMPLETED` if it, or a job that adds to it, has
 * not ended.
 */
export async function deleteJob(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  actor: Actor,
  jobId: string,
): Promise<void> {
  const job = await getJob(ctx, actor, jobId)
  if (!hasEnded(job)) throw refuseUnfinished(job)
  const deleted = await deleteEndedJob(ctx.db, { userId: job.userId, jobId: job.id }, ctx.clock())
  if (deleted.outcome === 'gone') throw new ServiceError('NOT_FOUND')
  if (deleted.outcome === 'needed') {
    throw new ServiceError('JOB_NOT_COMPLETED', {
      message: 'A job derived from this one has not ended and needs its transcript. Try again when it has ended.',
      details: { status: job.status, progress_percentage: job.progress },
      retryAfterSeconds: DERIVED_RETRY_AFTER_SECONDS,
    })
  }
  // The job is gone, whatever happens here: the purge of the cache finds later what is left.
  await deleteUnusedCache(ctx.db, deleted).catch((error: Error) => {
    ctx.log.warn('cache of a deleted job not deleted', { job_id: job.id, error: error.message })
  })
}
