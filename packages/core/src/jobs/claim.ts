import { claimJob, type Job, type Lease } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'

export interface ClaimedJob {
  job: Job
  /** Proves to the store that the job is still this worker's. */
  lease: Lease
}

/** Claims the job with this id for `leaseSeconds`. Null: it has ended, is leased to another worker, or does not exist. */
export async function claimJobById(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  leaseSeconds: number,
): Promise<ClaimedJob | null> {
  const lease = { jobId, token: randomId() }
  const job = await claimJob(ctx.db, lease, leaseSeconds)
  return job && { job, lease }
}
