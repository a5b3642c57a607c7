import { takeWakeableJobs } from '@subtext/db'
import type { Context } from '../context.ts'

const MAX_JOBS = 500
/** How long a wake-up may wait in a backlog before it is repeated. */
const REPEAT_AFTER_SECONDS = 15

/**
 * Wakes every unfinished job that is due: Redis lost its wake-up, its worker died, or its retry delay is over. Returns how
 * many. Safe to run in any number of workers at once.
 */
export async function sweepJobs(ctx: Pick<Context, 'db' | 'producer'>): Promise<number> {
  // Marking jobs as woken now would delay them after Redis is back.
  if (!ctx.producer.isConnected()) return 0
  const jobs = await takeWakeableJobs(ctx.db, MAX_JOBS, REPEAT_AFTER_SECONDS)
  if (jobs.length > 0) await ctx.producer.wakeJobs(jobs)
  return jobs.length
}
