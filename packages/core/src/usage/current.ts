import { PLANS } from '@subtext/contracts'
import { findQuotaUsage, sumAccountUsage, type UsageSums } from '@subtext/db'
import { type Actor, type Context, isAdmin } from '../context.ts'
import { quotaPeriods, quotaResets } from '../plans/quota.ts'
import { currentMonth } from './periods.ts'

export interface QuotaState {
  /** Videos per period; null: unlimited. */
  limit: number | null
  used: number
  remaining: number | null
  resetAt: Date
}

export interface AccountUsage {
  period: UsageSums & { start: Date; end: Date }
  quotas: { daily: QuotaState; monthly: QuotaState }
}

/** Returns the usage of all keys of the account in this calendar month (UTC), and what is left of its quotas. */
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

// After a change to a smaller plan, usage may exceed the limit.
const describeQuota = (limit: number | null, used: number, resetAt: Date): QuotaState => ({
  limit,
  used,
  remaining: limit === null ? null : Math.max(0, limit - used),
  resetAt,
})
