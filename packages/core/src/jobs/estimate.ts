import { type Job, type LaneLoad, listLaneLoads, listRecentRuns, type RecentRun } from '@subtext/db'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { hasEnded } from './get.ts'

/** What a job is taken to need before any has been measured: the typical time the specification names is below 30 s. */
const FIRST_GUESS_MS = 15_000
/** Jobs with as many modes must be at least so many, or all recent ones count. */
const ENOUGH_RUNS = 5
/** How long a look at the recent jobs and at the line is used. */
const KEEP_MS = 5_000

export interface Pace {
  runs: RecentRun[]
  loads: LaneLoad[]
}

export type EstimateRemaining = (job: Job) => Promise<number>

/** Estimates by the pace of the last jobs and the line before the workers, which all callers share for some seconds. */
export function createEstimator(ctx: Pick<Context, 'db'>): EstimateRemaining {
  const paces = new LRUCache<'pace', Pace>({
    max: 1,
    ttl: KEEP_MS,
    allowStale: true,
    fetchMethod: async () => {
      const [runs, loads] = await Promise.all([listRecentRuns(ctx.db), listLaneLoads(ctx.db)])
      return { runs, loads }
    },
  })
  return async (job) => {
    if (hasEnded(job)) return 0
    return estimateSeconds(job, (await paces.fetch('pace')) ?? { runs: [], loads: [] })
  }
}

type Unfinished = Pick<Job, 'status' | 'lane' | 'progress' | 'options' | 'createdAt'>

/**
 * Seconds an unfinished job will still take, at least 1: the work that is left by the median of recent jobs with as many
 * modes, and for one that waits the line before it. By Little's law (L = λW) a lane with `n` jobs under way that take
 * `W` each lets one in every `W / n`.
 */
export function estimateSeconds(job: Unfinished, { runs, loads }: Pace): number {
  const alike = runs.filter((run) => run.modes === job.options.summary_modes.length)
  const work = median(alike.length >= ENOUGH_RUNS ? alike : runs) ?? FIRST_GUESS_MS
  const load = loads.find(({ lane }) => lane === job.lane)
  const line = job.status === 'queued' && load ? countAhead(job, load) * (median(runs) ?? FIRST_GUESS_MS) : 0
  const ms = work * (1 - job.progress / 100) + line / Math.max(1, load?.running ?? 0)
  return Math.max(1, Math.ceil(ms / 1_000))
}

/** Jobs of the lane that were accepted before this one, as if those that wait had come in at an even pace. */
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
