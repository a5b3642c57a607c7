import type { Plan } from '@subtext/contracts'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { type ClaimedRow, type ClaimLook, type ClaimOptions, claimJobs, type HeldJob } from './claim-sql.ts'
import type { Job, Lease, WorkOrigin } from './job-row.ts'

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

const toClaimed = ({ tookOver, plan, traceparent, requestId, look, ...job }: ClaimedRow, lease: Lease): ClaimedJob => ({
  job,
  lease,
  tookOver,
  plan,
  origin: { traceparent, requestId },
  ...(look && { look }),
})

/**
 * Claims the job with this ID or, if it may not and `options` say so, holds it back. Returns null if neither is possible: the job
 * has ended, is leased to another worker, is held already, or does not exist.
 */
export async function claimOrHoldJob(
  { db }: Pick<Context, 'db'>,
  jobId: string,
  options: ClaimOptions,
): Promise<{ claimed: ClaimedJob } | { held: HeldJob } | null> {
  const lease = { jobId, token: randomId() }
  const [outcome = null] = await claimJobs(db, [lease], options)
  return outcome && 'claimed' in outcome ? { claimed: toClaimed(outcome.claimed, lease) } : outcome
}

/** Claims the job with this ID. Returns null if it has ended, is leased to another worker, or does not exist. */
export async function claimJobById(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  options: ClaimOptions,
): Promise<ClaimedJob | null> {
  const outcome = await claimOrHoldJob(ctx, jobId, options)
  return outcome && 'claimed' in outcome ? outcome.claimed : null
}
