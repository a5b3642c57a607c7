import { ServiceError } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import { failOwnJob } from './end.ts'
import { getJob, hasEnded } from './get.ts'
import type { ShownJob } from './job-row.ts'

/**
 * Fails a job of the actor with `JOB_CANCELLED` and tells its worker to stop. A job that has ended is left unchanged.
 * Returns the job as it is afterwards. Error: `NOT_FOUND` for an unknown or malformed ID, or one of another account.
 */
export async function cancelJob(
  ctx: Pick<Context, 'db' | 'notifier' | 'clock' | 'log'> & { producer: Pick<Context['producer'], 'wakeJobs'> },
  actor: Actor,
  jobId: string,
): Promise<ShownJob> {
  const job = await getJob(ctx, actor, jobId)
  if (hasEnded(job)) return job
  const failure = { error: new ServiceError('JOB_CANCELLED'), completedAt: ctx.clock() }
  const cancelled = await failOwnJob(ctx, actor.userId, jobId, failure)
  // It ended in the meantime.
  if (!cancelled) return getJob(ctx, actor, jobId)
  notify(ctx, 'cancel', jobId)
  return cancelled
}
