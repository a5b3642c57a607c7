import type { LaneCapacity } from '@subtext/queue'
import type { Context } from '../context.ts'
import { type ClaimedJob, claimJobById, claimOrHoldJob } from './claim.ts'
import type { ClaimOptions } from './claim-sql.ts'
import { findNextInLine } from './shares-sql.ts'

type ClaimSettings = Pick<ClaimOptions, 'leaseSeconds' | 'notBefore'>

/** Claims a job. Without `capacity`, the number of running jobs of its account does not matter. */
export type ClaimJob = (jobId: string, capacity?: LaneCapacity) => Promise<ClaimedJob | null>

/**
 * Returns how many jobs of a lane one account may have running when slots are scarce. A worker cannot know how many other
 * workers there are, so an account gets up to half of a small lane.
 */
export const accountShare = ({ slots }: LaneCapacity, maxRunning: number): number =>
  Math.min(maxRunning, Math.max(1, Math.ceil(slots / 2)))

/**
 * Creates the function by which a worker turns a task into a claimed job, such that no account can fill a lane. While more
 * slots are free than the reserve, it claims the job that the task names. After that, an account that already has its share of
 * the lane must wait: its job is held until another of its jobs has ended, and a waiting job of another account is claimed
 * instead. Returns null if there is nothing (left) to do for this task.
 */
export function createClaimer(
  ctx: Pick<Context, 'db'>,
  maxRunning: number,
  readOptions: () => ClaimSettings,
): ClaimJob {
  const claims = new Set<Promise<unknown>>()
  let lastFairClaim: Promise<unknown> = Promise.resolve()

  return (jobId, capacity) => {
    if (!capacity || (capacity.free > 0 && capacity.free >= capacity.reserve)) {
      const claim = claimJobById(ctx, jobId, readOptions())
      claims.add(claim)
      const done = (): void => void claims.delete(claim)
      claim.then(done, done)
      return claim
    }
    // Fair claims run one at a time, after all earlier claims, because each has to count the jobs of those before it.
    const earlier = [lastFairClaim, ...claims]
    const claim = Promise.allSettled(earlier).then(() =>
      claimFairly(ctx, jobId, { ...readOptions(), capacity, maxRunning }),
    )
    lastFairClaim = claim
    return claim
  }
}

interface FairClaim extends ClaimSettings {
  capacity: LaneCapacity
  maxRunning: number
}

async function claimFairly(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  { capacity, maxRunning, ...settings }: FairClaim,
): Promise<ClaimedJob | null> {
  const share = accountShare(capacity, maxRunning)
  const found = await claimOrHoldJob(ctx, jobId, { ...settings, share, hold: true })
  if (!found) return null
  if ('claimed' in found) return found.claimed
  const next = await findNextInLine(ctx.db, found.held.lane, found.held.userId, share)
  if (next) return claimJobById(ctx, next, { ...settings, share })
  return capacity.reserve === 0 ? claimJobById(ctx, jobId, settings) : null
}
