import type { Context } from '../context.ts'
import { notify } from '../coordination/notify.ts'
import type { Lease } from './job-row.ts'
import { releaseJob } from './release-sql.ts'

type ReleaseContext = Pick<Context, 'db' | 'notifier' | 'log'>

/**
 * Releases the job until its next attempt in `delaySeconds`. `platformRequests`: those since the last report. Returns false if
 * the lease was lost.
 */
export async function postponeJob(
  ctx: ReleaseContext,
  lease: Lease,
  delaySeconds: number,
  platformRequests?: number,
): Promise<boolean> {
  const released = await releaseJob(ctx.db, lease, { delaySeconds, refund: false, platformRequests })
  if (released) notify(ctx, 'progress', lease.jobId)
  return released
}

/** Like `postponeJob`, without counting the attempt, because the platform is refusing all requests. */
export async function letJobWait(
  ctx: ReleaseContext,
  lease: Lease,
  delaySeconds: number,
  platformRequests?: number,
): Promise<boolean> {
  const released = await releaseJob(ctx.db, lease, { delaySeconds, refund: true, waiting: true, platformRequests })
  if (released) notify(ctx, 'progress', lease.jobId)
  return released
}

/**
 * Releases the job without counting the attempt, because this worker is shutting down or has no capacity for it. A sweep finds
 * it within a second, or `delaySeconds` later. Returns false if the lease was lost.
 */
export const handBackJob = (
  ctx: Pick<Context, 'db'>,
  lease: Lease,
  delaySeconds = 0,
  platformRequests?: number,
): Promise<boolean> => releaseJob(ctx.db, lease, { delaySeconds, refund: true, platformRequests })
