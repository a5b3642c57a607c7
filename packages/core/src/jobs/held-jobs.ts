import type { LaneCapacity } from '@subtext/queue'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { runInRole } from '../coordination/run-in-role.ts'
import { accountShare } from './fair-claim.ts'
import type { Job, WakeableJob } from './job-row.ts'
import { takeHeldJobOf, takeHeldJobs } from './shares-sql.ts'
import type { SweepContext } from './sweep.ts'

/** Held jobs that one sweep wakes, however much capacity there is. */
const MAX_WOKEN_JOBS = 50

type WakeContext = Pick<Context, 'db' | 'log'> & { producer: Pick<Context['producer'], 'wakeJobs'> }

/**
 * Wakes the next held job of the account in the lane, without waiting for Redis. If that fails, a sweep wakes the job
 * later.
 */
export async function wakeNextHeldJob(ctx: WakeContext, { userId, lane }: Pick<Job, 'userId' | 'lane'>): Promise<void> {
  try {
    const next = await takeHeldJobOf(ctx.db, userId, lane)
    if (next) wakeJob(ctx, next)
  } catch (error) {
    warnLost(ctx, error as Error)
  }
}

/** Wakes a job that is not held any more, without waiting for Redis. If that fails, a sweep wakes the job later. */
export function wakeJob(ctx: WakeContext, job: WakeableJob): void {
  ctx.producer.wakeJobs([job], { again: true }).catch((error: Error) => warnLost(ctx, error))
}

const warnLost = ({ log }: WakeContext, { message }: Error): void =>
  log.warn('wake-up lost', { jobs: 1, error: message })

/**
 * Wakes held jobs that now have capacity: those of accounts below their share of the lane, and as many others as there are
 * free slots beyond the reserve. Returns how many. Safe to run in any number of workers at once; of those that have no such
 * slots, one does it for all, because held jobs are also woken when others of their account end.
 */
export async function wakeHeldJobs(
  ctx: SweepContext,
  lane: Job['lane'],
  capacity: LaneCapacity,
  maxRunning: number,
): Promise<number> {
  if (!ctx.producer.isConnected()) return 0
  const spare = Math.max(0, capacity.free - capacity.reserve)
  const share = accountShare(capacity, maxRunning)
  const wake = async (): Promise<number> => {
    const jobs = await takeHeldJobs(ctx.db, lane, { share, spare, limit: MAX_WOKEN_JOBS, from: randomId() })
    if (jobs.length > 0) await ctx.producer.wakeJobs(jobs, { again: true })
    return jobs.length
  }
  return spare > 0 ? wake() : runInRole(ctx.producer, `wake-${lane}`, wake)
}
