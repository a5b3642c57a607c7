import { PLANS } from '@subtext/contracts'
import { findQuotaUsage, sumAccountUsage, type UsageSums } from '@subtext/db'
import { type Actor, type Context, isAdmin } from '../context.ts'
import { quotaPeriods, quotaResets } from '../plans/quota.ts'
import { currentMonth } from './periods.ts'

export interface QuotaState {
  /** Videos a period; null: no limit. */
  limit: number | null
  used: number
  remaining: number | null
  resetAt: Date
}

export interface AccountUsage {
  period: UsageSums & { start: Date; end: Date }
  quotas: { daily: QuotaState; monthly: QuotaState }
}

/** What all keys of the caller's account did in this calendar month (UTC), and what its quotas still hold. */
export async function getCurrentUsage(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor): Promise<AccountUsage> {
  const now = ctx.clock()
  const { start, end } = currentMonth(now)
  const [sums, used] = await Promise.all([
    sumAccountUsage(ctx.db, actor.userId, start, end),
    findQuotaUsage(ctx.db, actor.userId, quotaPeriods(now)),
  ])
  const quota = isAdmin(actor) ? null : PLANS[actor.plan].quota
  const resets = quotaResets(now)
  return {
    period: { ...sums, start, end },
    quotas: {
      daily: describeQuota(quota?.daily ?? null, used.day, resets.day),
      monthly: describeQuota(quota?.monthly ?? null, used.month, resets.month),
    },
  }
}

// After a change to a smaller plan more may be used than it allows.
const describeQuota = (limit: number | null, used: number, resetAt: Date): QuotaState => ({
  limit,
  used,
  remaining: limit === null ? null : Math.max(0, limit - used),
  resetAt,
})
