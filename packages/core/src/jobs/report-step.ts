import type { JobStep } from '@subtext/contracts'
import { type Lease, reportProgress } from '@subtext/db'
import type { Context } from '../context.ts'
import { LeaseLostError } from './keep-lease.ts'

/**
 * Stores the current step, the progress in percent and, once it is known, the title of the video for the owner to see. Throws
 * `LeaseLostError` when the lease is lost.
 */
export async function reportStep(
  ctx: Pick<Context, 'db' | 'notifier'>,
  lease: Lease,
  step: JobStep,
  progress: number,
  videoTitle?: string,
): Promise<void> {
  if (!(await reportProgress(ctx.db, lease, { step, progress, videoTitle }))) throw new LeaseLostError()
  ctx.notifier.publish('progress', lease.jobId).catch(() => {}) // those who follow the job also poll
}
