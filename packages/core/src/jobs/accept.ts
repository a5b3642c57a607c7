import { ServiceError } from '@subtext/contracts'
import type { Context } from '../context.ts'
import { createBatcher } from '../coordination/batcher.ts'
import { refuseSuspended } from '../operations/suspended.ts'
import { openQuotaPeriods } from '../plans/index.ts'
import { hasCapacity, quotaExceeded, quotaPeriods } from '../plans/quota.ts'
import { type AcceptOutcome, acceptJobs, findCreationTimes } from './accept-sql.ts'
import type { NewJob } from './job-row.ts'

const MAX_JOBS_PER_STATEMENT = 200
const MAX_STATEMENTS = 2
/** If nothing has claimed a job for this long, the sweep wakes it again. */
export const WAKE_SECONDS = 3

/**
 * Accepts a job and resolves with the time of acceptance once the job is durable. Accepting a job whose ID already exists
 * changes nothing. Errors: `QUOTA_EXCEEDED`, and `UNAUTHORIZED` if the account was suspended a moment ago.
 */
export type AcceptJob = (job: NewJob) => Promise<Date>

export interface AcceptContext extends Pick<Context, 'db' | 'clock' | 'log'> {
  producer: Pick<Context['producer'], 'wakeJobs'>
  /** Called for every job that has been accepted. */
  onAccepted?: (job: Pick<NewJob, 'lane' | 'imported'>) => void
}

/**
 * Creates the function that accepts jobs. Submissions that arrive together share one statement and one wake-up: under load a job
 * costs a fraction of a round trip, and a lone job is not delayed.
 */
export const createAcceptor = (ctx: AcceptContext): AcceptJob =>
  createBatcher<NewJob, Date>({
    run: (jobs) => acceptAll(ctx, jobs),
    parallel: MAX_STATEMENTS,
    max: MAX_JOBS_PER_STATEMENT,
  })

interface Submission {
  job: NewJob
  outcome: AcceptOutcome | undefined
}

async function acceptAll(ctx: AcceptContext, jobs: readonly NewJob[]): Promise<(Date | Error)[]> {
  const now = ctx.clock()
  const periods = quotaPeriods(now)
  const accept = async (some: readonly NewJob[]): Promise<AcceptOutcome[]> => {
    const outcomes = await acceptJobs(ctx.db, some, { periods, now, wakeSeconds: WAKE_SECONDS })
    const added = some.filter((_, index) => outcomes[index]?.accepted && !outcomes[index].existed)
    if (added.length > 0) announceAccepted(ctx, added)
    return outcomes
  }

  const outcomes = await accept(jobs)
  const submissions = jobs.map((job, index): Submission => ({ job, outcome: outcomes[index] }))
  const retried = submissions.filter(wasRefusedWithinQuota)
  if (retried.length > 0) {
    await openQuotaPeriods(ctx.db, [...new Set(retried.map(({ job }) => job.userId))], periods)
    const second = await accept(retried.map(({ job }) => job))
    for (const [index, submission] of retried.entries()) submission.outcome = second[index] ?? submission.outcome
  }

  // A job that exists is refused if it has used the last of the quota itself: by an earlier call, or in a statement of a batch
  // that was refused afterwards.
  const mayExist = submissions.filter(({ outcome }) => !outcome?.accepted || outcome.existed).map(({ job }) => job.id)
  const earlier = mayExist.length > 0 ? await findCreationTimes(ctx.db, mayExist) : new Map<string, Date>()
  return submissions.map(({ job, outcome }) => {
    const acceptedAt = earlier.get(job.id)
    if (acceptedAt || outcome?.accepted) return acceptedAt ?? now
    if (outcome?.suspended) return refuseSuspended()
    if (outcome && job.quota) return quotaExceeded(job.quota, outcome, now)
    return new ServiceError('INTERNAL_ERROR')
  })
}

/**
 * Whether the store refused a job although the quota allows it. Either this is the account's first submission in a period,
 * whose counters do not exist yet, or capacity was set aside for a job that turned out to exist already.
 */
const wasRefusedWithinQuota = ({ job: { quota }, outcome }: Submission): boolean =>
  quota !== null && outcome !== undefined && !outcome.accepted && !outcome.suspended && hasCapacity(quota, outcome)

/**
 * Wakes workers for jobs that are durable, without making the caller wait. If the wake-up is lost, the sweep repeats it.
 */
export function announceAccepted(
  { producer, log, onAccepted }: Pick<AcceptContext, 'producer' | 'log' | 'onAccepted'>,
  jobs: Pick<NewJob, 'id' | 'lane' | 'imported'>[],
): void {
  for (const job of jobs) onAccepted?.(job)
  producer.wakeJobs(jobs).catch((error: unknown) => {
    log.warn('wake-up lost', { jobs: jobs.length, error: (error as Error).message })
  })
}
