import { type Job, medianProcessingMs } from '@subtext/db'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { hasEnded } from './get.ts'

/** What a job is taken to need before any has been measured: the typical time the specification names is below 30 s. */
const FIRST_GUESS_MS = 15_000
const KEEP_MS = 10_000

export type EstimateRemaining = (job: Job) => Promise<number>

/** Seconds a job will still take, from the median of recent jobs and its own progress; at least 1 until it has ended. */
export function createEstimator(ctx: Pick<Context, 'db'>): EstimateRemaining {
  const medians = new LRUCache<'median', { ms: number }>({
    max: 1,
    ttl: KEEP_MS,
    allowStale: true,
    fetchMethod: async () => ({ ms: (await medianProcessingMs(ctx.db)) ?? FIRST_GUESS_MS }),
  })
  return async (job) => {
    if (hasEnded(job)) return 0
    const median = (await medians.fetch('median'))?.ms ?? FIRST_GUESS_MS
    return Math.max(1, Math.ceil((median / 1_000) * (1 - job.progress / 100)))
  }
}
