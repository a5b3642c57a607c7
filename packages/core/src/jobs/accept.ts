import { ServiceError } from '@subtext/contracts'
import {
  acceptJobs,
  findCreationTimes,
  type NewJob,
  openQuotaPeriods,
  type QuotaPeriods,
  type Verdict,
} from '@subtext/db'
import DataLoader from 'dataloader'
import type { Context } from '../context.ts'
import { hasCapacity, quotaExceeded, quotaPeriods } from '../plans/quota.ts'

const MAX_JOBS_PER_STATEMENT = 200
/** Statements at once; what arrives meanwhile waits and shares the next one. */
const MAX_STATEMENTS = 2
/** After this long without a claim the sweeper wakes a job again. */
export const WAKE_SECONDS = 3

/**
 * Accepts a job, or refuses it with `QUOTA_EXCEEDED`; resolves with the time of acceptance once it is durable. Accepting a
 * job whose id is there already changes nothing.
 */
export type AcceptJob = (job: NewJob) => Promise<Date>

export type AcceptContext = Pick<Context, 'db' | 'clock' | 'log'> & { producer: Pick<Context['producer'], 'wakeJobs'> }

/**
 * Submissions that arrive together share one statement and one pipelined wake-up: under load a job costs a fraction of a
 * round trip, and a lone one does not wait for company.
 */
export function createAcceptor(ctx: AcceptContext): AcceptJob {
  let running = 0
  const waiting: (() => void)[] = []
  const leave = (): void => {
    running--
    waiting.shift()?.()
  }
  const loader = new DataLoader<NewJob, Date>((jobs) => acceptTogether(ctx, [...jobs]).finally(leave), {
    cache: false,
    maxBatchSize: MAX_JOBS_PER_STATEMENT,
    batchScheduleFn: (dispatch) => {
      const enter = (): void => {
        running++
        dispatch()
      }
      if (running < MAX_STATEMENTS) setImmediate(enter)
      else waiting.push(enter)
    },
  })
  return (job) => loader.load(job)
}

async function acceptTogether(ctx: AcceptContext, jobs: NewJob[]): Promise<(Date | Error)[]> {
  const now = ctx.clock()
  const verdicts = await acceptWithinPeriods(ctx, jobs, quotaPeriods(now), now)
  const accepted = jobs.filter((_, index) => verdicts[index]?.accepted && !verdicts[index].existed)
  wakeSoon(ctx, accepted)
  const existing = jobs.flatMap(({ id }, index) => (verdicts[index]?.existed ? [id] : []))
  const earlier = existing.length > 0 ? await findCreationTimes(ctx.db, existing) : new Map<string, Date>()
  return jobs.map((job, index) => {
    const verdict = verdicts[index]
    if (verdict?.accepted) return earlier.get(job.id) ?? now
    if (verdict && job.quota) return quotaExceeded(job.quota, verdict, now)
    return new ServiceError('INTERNAL_ERROR')
  })
}

/** Tells workers of jobs that are durable. Should it get lost, the sweeper repeats it: nobody waits for it. */
export function wakeSoon(ctx: Pick<AcceptContext, 'producer' | 'log'>, jobs: NewJob[]): void {
  ctx.producer.wakeJobs(jobs).catch((error: unknown) => {
    ctx.log.warn('wake-up lost', { jobs: jobs.length, error: (error as Error).message })
  })
}

async function acceptWithinPeriods(
  ctx: AcceptContext,
  jobs: NewJob[],
  periods: QuotaPeriods,
  now: Date,
): Promise<Verdict[]> {
  const verdicts = await acceptJobs(ctx.db, jobs, periods, now, WAKE_SECONDS)
  const refused = jobs.filter((job, index) => job.quota && wasRefusedWithRoom(job.quota, verdicts[index]))
  if (refused.length === 0) return verdicts

  await openQuotaPeriods(ctx.db, [...new Set(refused.map((job) => job.userId))], periods)
  const second = await acceptJobs(ctx.db, refused, periods, now, WAKE_SECONDS)
  return verdicts.map((verdict, index) => {
    const place = refused.indexOf(jobs[index] as NewJob)
    return place < 0 ? verdict : (second[place] ?? verdict)
  })
}

/**
 * Such a refusal is none: it is the first submission of the account in a period, whose counters are yet to be opened, or
 * a place was held for a job that turned out to be there already.
 */
const wasRefusedWithRoom = (quota: { daily: number; monthly: number }, verdict: Verdict | undefined): boolean =>
  verdict !== undefined && !verdict.accepted && hasCapacity(quota, verdict)
