import type { JobStep } from '@subtext/contracts'
import { type Lease, reportProgress } from '@subtext/db'
import type { Context } from '../context.ts'
import { LeaseLostError } from './keep-lease.ts'

/** Stores the current step and progress (in percent) for the owner to see. Throws `LeaseLostError` when the lease is lost. */
export async function reportStep(
  ctx: Pick<Context, 'db' | 'notifier'>,
  lease: Lease,
  step: JobStep,
  progress: number,
): Promise<void> {
  if (!(await reportProgress(ctx.db, lease, step, progress))) throw new LeaseLostError()
  ctx.notifier.publish('progress', lease.jobId).catch(() => {}) // those who follow the job also poll
}
