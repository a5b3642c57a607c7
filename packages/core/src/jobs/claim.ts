import type { Plan } from '@subtext/contracts'
import { type ClaimedRow, type ClaimLook, claimJob, type Job, type Lease, type WorkOrigin } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'

export interface ClaimedJob {
  job: Job
  /** Proves to the store that the job is still this worker's. */
  lease: Lease
  /** Whether the worker that held the job before has died. */
  tookOver?: boolean
  /** The plan of its account at the time of the claim. Null or undefined if it is not known. */
  plan?: Plan | null
  /** What caused the job. */
  origin?: WorkOrigin
  /** What the claim found out about the video. Undefined if it did not look. */
  look?: ClaimLook
}

/** Returns a claimed row as a job with its lease. */
export const toClaimed = (row: ClaimedRow | null, lease: Lease): ClaimedJob | null => {
  if (!row) return null
  const { tookOver, plan, traceparent, requestId, look, ...job } = row
  return { job, lease, tookOver, plan, origin: { traceparent, requestId }, ...(look && { look }) }
}

/**
 * Claims the job with this ID for `leaseSeconds`. With `notBefore`, also looks for its video, and acquires the lease on
 * fetching it if what is stored is older. Returns null if the job has ended, is leased to another worker, or does not exist.
 */
export async function claimJobById(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  leaseSeconds: number,
  notBefore?: Date,
): Promise<ClaimedJob | null> {
  const lease = { jobId, token: randomId() }
  return toClaimed(await claimJob(ctx.db, lease, leaseSeconds, notBefore), lease)
}
