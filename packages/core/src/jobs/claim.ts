import { claimJobWithinShare, findNextInLine, holdJob, type Job, takeHeldJobOf, takeHeldJobs } from '@subtext/db'
import type { LaneRoom } from '@subtext/queue'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'
import { type ClaimedJob, claimJobById } from './work.ts'

/** Without `room` the job is taken whatever its account has under way. */
export type ClaimJob = (jobId: string, leaseSeconds: number, room?: LaneRoom) => Promise<ClaimedJob | null>

/**
 * Jobs of a lane an account may have under way when the slots are needed. A worker cannot know how many others there are:
 * a lane of few slots is shared by halves.
 */
const shareOf = ({ slots }: LaneRoom, maxRunning: number): number =>
  Math.min(maxRunning, Math.max(1, Math.ceil(slots / 2)))

/**
 * Gives a worker something to do for a task, so that no account can fill a lane. While slots beyond the reserve are free,
 * that is the job the task names. Else the account must not have its share of the lane yet: a job of somebody else who
 * waits is taken in its place, and the job is held back until another one of its account has ended. Null: there is
 * nothing (left) to do for this task.
 */
export function createClaimer(ctx: Pick<Context, 'db'>, maxRunning: number): ClaimJob {
  const claims = new Set<Promise<unknown>>()
  let turn: Promise<unknown> = Promise.resolve()

  return (jobId, leaseSeconds, room) => {
    if (!room || (room.free > 0 && room.free >= room.reserve)) {
      const claim = claimJobById(ctx, jobId, leaseSeconds)
      claims.add(claim)
      const done = (): void => void claims.delete(claim)
      claim.then(done, done)
      return claim
    }
    // One after the other, and after those before: each must be counted by the next.
    const before = [turn, ...claims]
    const claim = Promise.allSettled(before).then(() => claimFairly(ctx, jobId, leaseSeconds, room, maxRunning))
    turn = claim
    return claim
  }
}

async function claimFairly(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  leaseSeconds: number,
  room: LaneRoom,
  maxRunning: number,
): Promise<ClaimedJob | null> {
  const share = shareOf(room, maxRunning)
  const withinShare = async (id: string): Promise<ClaimedJob | null> => {
    const lease = { jobId: id, token: randomId() }
    const job = await claimJobWithinShare(ctx.db, lease, leaseSeconds, share)
    return job && { job, lease }
  }
  const own = await withinShare(jobId)
  if (own) return own
  const held = await holdJob(ctx.db, jobId)
  if (!held) return null
  const next = await findNextInLine(ctx.db, held.lane, held.userId, share)
  if (next) return withinShare(next)
  return room.reserve === 0 ? claimJobById(ctx, jobId, leaseSeconds) : null
}

type WakeContext = Pick<Context, 'db' | 'log'> & { producer: Pick<Context['producer'], 'wakeJobs'> }

/**
 * Wakes the account's next job that was held back in the lane, without waiting for Redis; the sweeper does so when this
 * comes to nothing.
 */
export async function wakeNextOf(ctx: WakeContext, { userId, lane }: Pick<Job, 'userId' | 'lane'>): Promise<void> {
  const onLoss = (error: Error): void => void ctx.log.warn('wake-up lost', { jobs: 1, error: error.message })
  try {
    const next = await takeHeldJobOf(ctx.db, userId, lane)
    if (next) ctx.producer.wakeJobs([next]).catch(onLoss)
  } catch (error) {
    onLoss(error as Error)
  }
}

/** Held jobs woken at once, however much room there is. */
const MAX_WOKEN = 50

/**
 * Wakes jobs that were held back and for which there is room: of accounts that have not got their share of the lane, and
 * as many others as slots are free. Returns how many. Any number of workers may do so at once.
 */
export async function wakeHeldJobs(
  ctx: Pick<Context, 'db' | 'producer'>,
  lane: Job['lane'],
  room: LaneRoom,
  maxRunning: number,
): Promise<number> {
  if (!ctx.producer.isConnected()) return 0
  const spare = Math.max(0, room.free - room.reserve)
  const jobs = await takeHeldJobs(ctx.db, lane, { share: shareOf(room, maxRunning), spare, limit: MAX_WOKEN })
  if (jobs.length > 0) await ctx.producer.wakeJobs(jobs)
  return jobs.length
}
