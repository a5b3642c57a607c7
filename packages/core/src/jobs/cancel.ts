import { ServiceError } from '@subtext/contracts'
import type { Job } from '@subtext/db'
import type { Actor, Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { failOwnJob } from './end.ts'
import { getJob, hasEnded } from './get.ts'

/**
 * Fails a job of the actor with `JOB_CANCELLED` and tells its worker to stop; a job that has ended stays as it is. A
 * foreign, unknown or malformed id is `NOT_FOUND`. Returns the job as it stands then.
 */
export async function cancelJob(
  ctx: Pick<Context, 'db' | 'signals' | 'clock' | 'log'> & { producer: Pick<Context['producer'], 'wakeJobs'> },
  actor: Actor,
  jobId: string,
): Promise<Job> {
  const job = await getJob(ctx, actor, jobId)
  if (hasEnded(job)) return job
  const failure = { error: new ServiceError('JOB_CANCELLED'), completedAt: ctx.clock() }
  const cancelled = await failOwnJob(ctx, actor.userId, jobId, failure)
  // Somebody else ended it in between.
  if (!cancelled) return getJob(ctx, actor, jobId)
  notify(ctx, 'cancel', jobId)
  return cancelled
}
