import { type Lane, SUMMARY_MODES } from '@subtext/contracts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { hasEnded } from './get.ts'
import type { ShownJob } from './job-row.ts'
import { type LaneLoad, listLaneLoads, listRecentRuns, type RecentRun } from './pace-sql.ts'

/** Assumed duration of a job before any has been measured. Typical jobs take less than 30 s. */
const DEFAULT_DURATION_MS = 15_000
/** With fewer recent jobs that have the same number of modes, the estimate uses all recent jobs. */
const MIN_SIMILAR_RUNS = 5
/** How long the recent jobs and the length of the queue are cached. */
const CACHE_MS = 5_000

export interface RecentPace {
  runs: RecentRun[]
  loads: LaneLoad[]
}

export type ReadPace = () => Promise<RecentPace>

/** Reads the durations of recent jobs and the length of the queue; all callers share these for some seconds. */
export function createPaceReader(ctx: Pick<Context, 'db'>): ReadPace {
  const paces = new LRUCache<'pace', RecentPace>({
    max: 1,
    ttl: CACHE_MS,
    allowStale: true,
    fetchMethod: async () => {
      const [runs, loads] = await Promise.all([listRecentRuns(ctx.db), listLaneLoads(ctx.db)])
      return { runs, loads }
    },
  })
  return async () => (await paces.fetch('pace')) ?? { runs: [], loads: [] }
}

export type EstimateRemaining = (job: ShownJob) => Promise<number>

/** Estimates the remaining time of jobs in seconds. */
export const createEstimator =
  (ctx: Pick<Context, 'clock'>, readPace: ReadPace): EstimateRemaining =>
  async (job) =>
    hasEnded(job) ? 0 : estimateSeconds(job, await readPace(), ctx.clock())

/** A job that is not submitted yet. */
export interface ProspectiveJob {
  /** Number of summaries and infographics to be written. */
  writes: number
  /** Whether the captions are already stored. */
  hasTranscript: boolean
}

export type EstimateDuration = (lane: Lane, jobs: ProspectiveJob[]) => Promise<number>

/** The progress of a job, in percent, once it has its captions, and once it has its summaries as well. */
const DONE_WITH = { captions: 40, everything: 95 }

/** Estimates the seconds until jobs that are submitted together have all ended. */
export const createDurationEstimator =
  (ctx: Pick<Context, 'clock'>, readPace: ReadPace): EstimateDuration =>
  async (lane, jobs) => {
    const pace = await readPace()
    const works = jobs.map(({ writes, hasTranscript }) => {
      // No recent job has more modes than there are.
      const modes = Math.min(writes, SUMMARY_MODES.length)
      return workOf(modes, progressOf(writes, hasTranscript), pace)
    })
    const longest = Math.max(0, ...works)
    const all = works.reduce((sum, work) => sum + work, 0) / countRunning(lane, pace)
    return toSeconds(waitOf({ lane, createdAt: ctx.clock() }, pace) + Math.max(longest, all))
  }

const toSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

const progressOf = (writes: number, hasTranscript: boolean): number =>
  !hasTranscript ? 0 : writes > 0 ? DONE_WITH.captions : DONE_WITH.everything

/** Returns the remaining milliseconds of work of a job with this number of modes, by the median of similar recent jobs. */
function workOf(modes: number, progress: number, { runs }: RecentPace): number {
  const similar = runs.filter((run) => run.modes === modes)
  const work = median(similar.length >= MIN_SIMILAR_RUNS ? similar : runs) ?? DEFAULT_DURATION_MS
  return work * (1 - progress / 100)
}

type Unfinished = Pick<ShownJob, 'status' | 'lane' | 'progress' | 'options' | 'createdAt' | 'nextAttemptAt'>

/**
 * Returns the seconds until an unfinished job ends, at least 1: the rest of its pause, the remaining work, by the median of
 * recent jobs with as many modes, and for a queued job the time until it starts. By Little's law (L = λW), a lane that runs `n` jobs of
 * duration `W` starts one every `W / n`.
 */
export function estimateSeconds(job: Unfinished, pace: RecentPace, now: Date): number {
  const work = workOf(job.options.summary_modes.length, job.progress, pace)
  const pause = job.nextAttemptAt ? Math.max(0, job.nextAttemptAt.getTime() - now.getTime()) : 0
  return toSeconds(pause + work + (job.status === 'queued' ? waitOf(job, pace) : 0))
}

/** Returns the milliseconds until a waiting job starts. */
function waitOf({ lane, createdAt }: Pick<Unfinished, 'lane' | 'createdAt'>, pace: RecentPace): number {
  const load = pace.loads.find((one) => one.lane === lane)
  const ahead = load ? countAhead({ createdAt }, load) : 0
  return (ahead * (median(pace.runs) ?? DEFAULT_DURATION_MS)) / countRunning(lane, pace)
}

/** Returns how many jobs a lane runs at once, estimated from the jobs that are running. */
const countRunning = (lane: Lane, { loads }: RecentPace): number =>
  Math.max(1, loads.find((one) => one.lane === lane)?.running ?? 0)

/** Returns how many waiting jobs of the lane were accepted before this one, assuming that they arrived at an even rate. */
function countAhead(job: Pick<Unfinished, 'createdAt'>, { waiting, oldestAt, newestAt }: LaneLoad): number {
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
