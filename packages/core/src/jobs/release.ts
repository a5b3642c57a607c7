import { type Lease, releaseJob } from '@subtext/db'
import type { Context } from '../context.ts'

/** Releases the job until its next attempt in `delaySeconds`. False: the lease was lost. */
export const postponeJob = (ctx: Pick<Context, 'db'>, lease: Lease, delaySeconds: number): Promise<boolean> =>
  releaseJob(ctx.db, lease, { delaySeconds, refund: false })

/**
 * Releases the job without counting the attempt, because this worker is shutting down or has no capacity for it. A sweep
 * finds it within a second, or `delaySeconds` later. False: the lease was lost.
 */
export const handBackJob = (ctx: Pick<Context, 'db'>, lease: Lease, delaySeconds = 0): Promise<boolean> =>
  releaseJob(ctx.db, lease, { delaySeconds, refund: true })
