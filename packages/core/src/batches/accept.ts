import { ServiceError } from '@subtext/contracts'
import { type AcceptContext, announceAccepted, WAKE_SECONDS } from '../jobs/accept.ts'
import { acceptBatch as acceptStoredBatch, type NewBatch, type NewBatchJob } from '../jobs/index.ts'
import { refuseSuspended } from '../operations/suspended.ts'
import { openQuotaPeriods } from '../plans/index.ts'
import { hasCapacity, quotaExceeded, quotaPeriods } from '../plans/quota.ts'

/**
 * Accepts a batch and its jobs, all of one account, and resolves with the time of acceptance once they are durable; null if a
 * batch with this ID already existed. Errors: `QUOTA_EXCEEDED`, in which case nothing counts against the quota, and
 * `UNAUTHORIZED` if the account was suspended a moment ago.
 */
export async function acceptBatch(ctx: AcceptContext, batch: NewBatch, jobs: NewBatchJob[]): Promise<Date | null> {
  const now = ctx.clock()
  const periods = quotaPeriods(now)
  const accept = () => acceptStoredBatch(ctx.db, batch, jobs, { periods, now, wakeSeconds: WAKE_SECONDS })
  const quota = jobs[0]?.quota ?? null
  let outcome = await accept()
  // This is the account's first submission in a period, whose counters do not exist yet.
  if (!outcome.accepted && !outcome.suspended && quota && hasCapacity(quota, outcome, jobs.length)) {
    await openQuotaPeriods(ctx.db, [batch.userId], periods)
    outcome = await accept()
  }
  if (outcome.suspended) throw refuseSuspended()
  if (!outcome.accepted)
    throw quota ? quotaExceeded(quota, outcome, now, jobs.length) : new ServiceError('INTERNAL_ERROR')
  if (outcome.existed) return null
  announceAccepted(ctx, jobs)
  return now
}
