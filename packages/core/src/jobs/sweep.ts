import type { Producer } from '@subtext/queue'
import type { Context } from '../context.ts'
import { runInRole } from '../coordination/run-in-role.ts'
import { type DueJob, type DuePosition, endHolds, listDueJobs } from './sweep-sql.ts'

/** The producer of a process that sweeps. */
export type SweepProducer = Pick<Producer, 'wakeJobs' | 'isConnected' | 'findMissing' | 'keepRole' | 'dropRole'>
export type SweepContext = Pick<Context, 'db'> & { producer: SweepProducer }

/** Wakes jobs and returns how many. */
export type SweepJobs = () => Promise<number>

const JOBS_PER_WINDOW = 500
/** Limits one sweep after Redis has lost its tasks. */
const MAX_WINDOWS = 20

/**
 * Creates the function that wakes unfinished jobs that are due: Redis lost their wake-up, their worker died, or their pause
 * is over. Call it every second. It reads and asks Redis for missing tasks, and writes nothing, so a long backlog of jobs
 * whose tasks are in place costs little. Each call continues where the last one ended, through a window of due jobs of each
 * status, and through more of them while most of their tasks are missing.
 */
export function createSweeper(ctx: SweepContext, jobsPerWindow = JOBS_PER_WINDOW): SweepJobs {
  const positions: Record<'processing' | 'queued', DuePosition | null> = { processing: null, queued: null }

  const sweepStatus = async (status: keyof typeof positions): Promise<number> => {
    let woken = 0
    for (let window = 0; window < MAX_WINDOWS; window++) {
      const jobs = await listDueJobs(ctx.db, status, positions[status], jobsPerWindow)
      const missing = await wakeMissing(ctx, jobs)
      positions[status] = jobs.length === jobsPerWindow ? (jobs.at(-1) ?? null) : null
      woken += missing
      if (positions[status] === null || missing < jobs.length / 2) break
    }
    return woken
  }
  return async () => {
    if (!ctx.producer.isConnected()) return 0
    return runInRole(
      ctx.producer,
      'sweep',
      async () => (await sweepStatus('processing')) + (await sweepStatus('queued')),
    )
  }
}

async function wakeMissing(ctx: SweepContext, jobs: DueJob[]): Promise<number> {
  if (jobs.length === 0) return 0
  const missing = await ctx.producer.findMissing(jobs)
  if (missing.length === 0) return 0
  const held = missing.filter((job) => job.held).map(({ id }) => id)
  if (held.length > 0) await endHolds(ctx.db, held)
  await ctx.producer.wakeJobs(missing)
  return missing.length
}
