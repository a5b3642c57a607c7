import { type Job, type LaneLoad, listLaneLoads, listRecentRuns, type RecentRun } from '@subtext/db'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { hasEnded } from './get.ts'

/** Assumed duration of a job before any has been measured. The typical time in the specification is below 30 s. */
const DEFAULT_DURATION_MS = 15_000
/** With fewer recent jobs that have the same number of modes, the estimate uses all recent jobs. */
const MIN_SIMILAR_RUNS = 5
/** How long the recent jobs and the length of the queue are cached. */
const CACHE_MS = 5_000

export interface Pace {
  runs: RecentRun[]
  loads: LaneLoad[]
}

export type EstimateRemaining = (job: Job) => Promise<number>

/** Estimates from the durations of recent jobs and the length of the queue; all callers share these for some seconds. */
export function createEstimator(ctx: Pick<Context, 'db' | 'clock'>): EstimateRemaining {
  const paces = new LRUCache<'pace', Pace>({
    max: 1,
    ttl: CACHE_MS,
    allowStale: true,
    fetchMethod: async () => {
      const [runs, loads] = await Promise.all([listRecentRuns(ctx.db), listLaneLoads(ctx.db)])
      return { runs, loads }
    },
  })
  return async (job) => {
    if (hasEnded(job)) return 0
    return estimateSeconds(job, (await paces.fetch('pace')) ?? { runs: [], loads: [] }, ctx.clock())
  }
}

type Unfinished = Pick<Job, 'status' | 'lane' | 'progress' | 'options' | 'createdAt' | 'nextAttemptAt'>

/**
 * Returns the seconds until an unfinished job ends, at least 1: the rest of its pause, the remaining work, by the median of
 * recent jobs with as many modes, and for a queued job the time until it starts. By Little's law (L = λW), a lane that runs `n` jobs of
 * duration `W` starts one every `W / n`.
 */
export function estimateSeconds(job: Unfinished, { runs, loads }: Pace, now: Date): number {
  const similar = runs.filter((run) => run.modes === job.options.summary_modes.length)
  const work = median(similar.length >= MIN_SIMILAR_RUNS ? similar : runs) ?? DEFAULT_DURATION_MS
  const load = loads.find(({ lane }) => lane === job.lane)
  const ahead = job.status === 'queued' && load ? countAhead(job, load) * (median(runs) ?? DEFAULT_DURATION_MS) : 0
  const pause = job.nextAttemptAt ? Math.max(0, job.nextAttemptAt.getTime() - now.getTime()) : 0
  const ms = pause + work * (1 - job.progress / 100) + ahead / Math.max(1, load?.running ?? 0)
  return Math.max(1, Math.ceil(ms / 1_000))
}

/** Returns how many waiting jobs of the lane were accepted before this one, assuming that they arrived at an even rate. */
function countAhead(job: Unfinished, { waiting, oldestAt, newestAt }: LaneLoad): number {
  if (!oldestAt || !newestAt) return 0
  const others = job.createdAt > newestAt ? waiting : waiting - 1
  const span = newestAt.getTime() - oldestAt.getTime()
  const share = span > 0 ? (job.createdAt.getTime() - oldestAt.getTime()) / span : 1
  return others * Math.min(1, Math.max(0, share))
}

function median(runs: RecentRun[]): number | null {
  const sorted = runs.map((run) => run.processingMs).sort((a, b) => a - b)
  const middle = sorted.length / 2
  const pair = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]].flatMap((ms) => ms ?? [])
  return pair.length === 2 ? pair.reduce((sum, ms) => sum + ms, 0) / 2 : null
}
