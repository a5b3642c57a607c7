import { ServiceError } from '@subtext/contracts'
import { acceptBatch as acceptStored, type NewBatch, type NewBatchJob, openQuotaPeriods } from '@subtext/db'
import { type AcceptContext, WAKE_SECONDS, wakeSoon } from '../jobs/accept.ts'
import { hasCapacity, quotaExceeded, quotaPeriods } from '../plans/quota.ts'

/**
 * Accepts a batch with all its jobs, which are those of one account; durable when it resolves, with the time of acceptance,
 * or null when a batch of this id was there before. Refused with `QUOTA_EXCEEDED`, it has counted nothing.
 */
export async function acceptBatch(ctx: AcceptContext, batch: NewBatch, jobs: NewBatchJob[]): Promise<Date | null> {
  const now = ctx.clock()
  const periods = quotaPeriods(now)
  const accept = () => acceptStored(ctx.db, batch, jobs, periods, now, WAKE_SECONDS)
  const quota = jobs[0]?.quota ?? null
  let verdict = await accept()
  // The first submission of the account in a period: its counters are yet to be opened.
  if (!verdict.accepted && quota && hasCapacity(quota, verdict, jobs.length)) {
    await openQuotaPeriods(ctx.db, [batch.userId], periods)
    verdict = await accept()
  }
  if (!verdict.accepted)
    throw quota ? quotaExceeded(quota, verdict, now, jobs.length) : new ServiceError('INTERNAL_ERROR')
  if (verdict.existed) return null
  wakeSoon(ctx, jobs)
  return now
}
