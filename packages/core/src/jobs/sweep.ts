import { takeWakeableJobs } from '@subtext/db'
import type { Context } from '../context.ts'

const MAX_JOBS = 500
/** A wake-up may wait this long in a backlog before it is repeated. */
const AGAIN_SECONDS = 15

/**
 * Wakes every unfinished job whose time has come: its wake-up was lost with Redis, its worker died, or its pause is over.
 * Returns how many. Any number of workers may sweep at once.
 */
export async function sweepJobs(ctx: Pick<Context, 'db' | 'producer'>): Promise<number> {
  // Marked now, they would be left alone for a while after Redis is back.
  if (!ctx.producer.isConnected()) return 0
  const jobs = await takeWakeableJobs(ctx.db, MAX_JOBS, AGAIN_SECONDS)
  if (jobs.length > 0) await ctx.producer.wakeJobs(jobs)
  return jobs.length
}
