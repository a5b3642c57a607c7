import type { Actor, Context } from '../context.ts'
import { type QuotaContext, quotaPeriods, quotaResets, selectQuota } from '../plans/quota.ts'
import { getSpending, type SpendingState } from '../spending/index.ts'
import { currentMonth } from './periods.ts'
import { findQuotaUsage, sumAccountUsage, type UsageSums } from './usage-sql.ts'

export interface QuotaState {
  /** Videos per period; null stands for unlimited. */
  limit: number | null
  used: number
  remaining: number | null
  resetAt: Date
}

export interface Quotas {
  daily: QuotaState
  monthly: QuotaState
}

export interface AccountUsage {
  period: UsageSums & { start: Date; end: Date }
  quotas: Quotas
  spending: SpendingState & { resetAt: Date }
}

type UsageContext = Pick<Context, 'db' | 'clock'> & QuotaContext

/** Returns the usage of all keys of the account in this calendar month (UTC), and what is left of its quotas and limits. */
export async function getCurrentUsage(ctx: UsageContext, actor: Actor): Promise<AccountUsage> {
  const { start, end } = currentMonth(ctx.clock())
  const [sums, quotas, spending] = await Promise.all([
    sumAccountUsage(ctx.db, actor.userId, start, end),
    getQuotas(ctx, actor),
    getSpending(ctx, actor),
  ])
  return { period: { ...sums, start, end }, quotas, spending: { ...spending, resetAt: end } }
}

/** Returns what is left of the quotas of the account. */
export async function getQuotas(ctx: UsageContext, actor: Actor): Promise<Quotas> {
  const now = ctx.clock()
  const used = await findQuotaUsage(ctx.db, actor.userId, quotaPeriods(now))
  const quota = selectQuota(ctx, actor)
  const resets = quotaResets(now)
  return {
    daily: describeQuota(quota?.daily ?? null, used.day, resets.day),
    monthly: describeQuota(quota?.monthly ?? null, used.month, resets.month),
  }
}

// After a change to a smaller plan, usage may exceed the limit.
const describeQuota = (limit: number | null, used: number, resetAt: Date): QuotaState => ({
  limit,
  used,
  remaining: limit === null ? null : Math.max(0, limit - used),
  resetAt,
})
