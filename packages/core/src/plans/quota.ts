import { ServiceError } from '@subtext/contracts'
import type { QuotaPeriods, Verdict } from '@subtext/db'

const DAY_MS = 86_400_000

/** The UTC day and month that `now` lies in. */
export function quotaPeriods(now: Date): QuotaPeriods {
  const day = now.toISOString().slice(0, 10)
  return { day, month: `${day.slice(0, 7)}-01` }
}

/** When the day and the month end. */
export function quotaResets(now: Date): { day: Date; month: Date } {
  return {
    day: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + DAY_MS),
    month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
  }
}

/** The refusal of a job: of the two quotas the one that blocks longer. */
export function quotaExceeded(
  quota: { daily: number; monthly: number },
  verdict: Omit<Verdict, 'existed'>,
  now: Date,
): ServiceError {
  const resets = quotaResets(now)
  const monthly = (verdict.usedMonth ?? 0) >= quota.monthly
  const resetAt = monthly ? resets.month : resets.day
  const limit = monthly ? quota.monthly : quota.daily
  return new ServiceError('QUOTA_EXCEEDED', {
    details: {
      quota: monthly ? 'monthly' : 'daily',
      limit,
      used: Math.min(limit, (monthly ? verdict.usedMonth : verdict.usedDay) ?? limit),
      reset_at: resetAt.toISOString(),
    },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1_000)),
  })
}
