import { setTimeout as sleep } from 'node:timers/promises'
import { type Lane, ServiceError } from '@subtext/contracts'
import { type AcceptOutcome, acceptJobs, findCreationTimes, type NewJob, openQuotaPeriods } from '@subtext/db'
import { createSemaphore } from '@subtext/runtime'
import DataLoader from 'dataloader'
import type { Context } from '../context.ts'
import { hasCapacity, quotaExceeded, quotaPeriods } from '../plans/quota.ts'

const MAX_JOBS_PER_STATEMENT = 200
/** Statements that run at once; jobs that arrive meanwhile share the next one. */
const MAX_STATEMENTS = 2
/** How long jobs gather for a statement while there are others: a statement costs about as much as ten further jobs in it. */
const GATHER_MS = 3
/** After a statement that several jobs shared, how long further jobs are expected to arrive together. */
const EXPECT_MORE_MS = 50
/** If nothing has claimed a job for this long, the sweep wakes it again. */
export const WAKE_SECONDS = 3

/**
 * Accepts a job and resolves with the time of acceptance once the job is durable. Accepting a job whose ID already exists
 * changes nothing. Error: `QUOTA_EXCEEDED`.
 */
export type AcceptJob = (job: NewJob) => Promise<Date>

export interface AcceptContext extends Pick<Context, 'db' | 'clock' | 'log'> {
  producer: Pick<Context['producer'], 'wakeJobs'>
  /** Called for every job that has been accepted. */
  onAccepted?: (lane: Lane) => void
}

/**
 * Submissions that arrive together share one statement and one wake-up: under load a job costs a fraction of a
 * round trip, and a lone job is not delayed. `gather` waits for more jobs, if others are being accepted or just were.
 */
export function createAcceptor(ctx: AcceptContext, gather: () => Promise<unknown> = () => sleep(GATHER_MS)): AcceptJob {
  const statements = createSemaphore(MAX_STATEMENTS)
  let running = 0
  let expectMoreUntil = 0
  const acceptShared = async (jobs: readonly NewJob[]): Promise<(Date | Error)[]> => {
    running++
    try {
      return await acceptTogether(ctx, jobs)
    } finally {
      running--
      if (jobs.length > 1) expectMoreUntil = performance.now() + EXPECT_MORE_MS
      statements.release()
    }
  }
  const isBusy = (): boolean => running > 0 || performance.now() < expectMoreUntil
  const loader = new DataLoader<NewJob, Date>(acceptShared, {
    cache: false,
    maxBatchSize: MAX_JOBS_PER_STATEMENT,
    batchScheduleFn: (dispatch) =>
      void setImmediate(async () => {
        if (isBusy()) await gather()
        await statements.acquire()
        dispatch()
      }),
  })
  return (job) => loader.load(job)
}

interface Submission {
  job: NewJob
  outcome: AcceptOutcome | undefined
}

async function acceptTogether(ctx: AcceptContext, jobs: readonly NewJob[]): Promise<(Date | Error)[]> {
  const now = ctx.clock()
  const periods = quotaPeriods(now)
  const accept = (some: readonly NewJob[]) => acceptJobs(ctx.db, some, { periods, now, wakeSeconds: WAKE_SECONDS })

  const outcomes = await accept(jobs)
  const submissions = jobs.map((job, index): Submission => ({ job, outcome: outcomes[index] }))
  const retried = submissions.filter(wasRefusedWithinQuota)
  if (retried.length > 0) {
    await openQuotaPeriods(ctx.db, [...new Set(retried.map(({ job }) => job.userId))], periods)
    const second = await accept(retried.map(({ job }) => job))
    for (const [index, submission] of retried.entries()) submission.outcome = second[index] ?? submission.outcome
  }

  const existing = submissions.filter(({ outcome }) => outcome?.existed).map(({ job }) => job.id)
  const added = submissions.filter(({ outcome }) => outcome?.accepted && !outcome.existed).map(({ job }) => job)
  announceAccepted(ctx, added)
  const earlier = existing.length > 0 ? await findCreationTimes(ctx.db, existing) : new Map<string, Date>()
  return submissions.map(({ job, outcome }) => {
    if (outcome?.accepted) return earlier.get(job.id) ?? now
    if (outcome && job.quota) return quotaExceeded(job.quota, outcome, now)
    return new ServiceError('INTERNAL_ERROR')
  })
}

/**
 * Whether the store refused a job although the quota allows it. Either this is the account's first submission in a period,
 * whose counters do not exist yet, or capacity was set aside for a job that turned out to exist already.
 */
const wasRefusedWithinQuota = ({ job: { quota }, outcome }: Submission): boolean =>
  quota !== null && outcome !== undefined && !outcome.accepted && hasCapacity(quota, outcome)

/**
 * Wakes workers for jobs that are durable, without making the caller wait. If the wake-up is lost, the sweep repeats it.
 */
export function announceAccepted(
  { producer, log, onAccepted }: Pick<AcceptContext, 'producer' | 'log' | 'onAccepted'>,
  jobs: Pick<NewJob, 'id' | 'lane'>[],
): void {
  for (const { lane } of jobs) onAccepted?.(lane)
  producer.wakeJobs(jobs).catch((error: unknown) => {
    log.warn('wake-up lost', { jobs: jobs.length, error: (error as Error).message })
  })
}
