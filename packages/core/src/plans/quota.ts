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

/** Whether both periods hold so many more videos. */
export const hasCapacity = (
  quota: { daily: number; monthly: number },
  { usedDay, usedMonth }: Pick<Verdict, 'usedDay' | 'usedMonth'>,
  videos = 1,
): boolean => (usedDay ?? 0) + videos <= quota.daily && (usedMonth ?? 0) + videos <= quota.monthly

/**
 * The refusal of a job, or of a batch of so many `videos`: of the two quotas the one that blocks longer. What is larger
 * than a whole quota is refused for good.
 */
export function quotaExceeded(
  quota: { daily: number; monthly: number },
  verdict: Omit<Verdict, 'existed'>,
  now: Date,
  videos?: number,
): ServiceError {
  const resets = quotaResets(now)
  const wanted = videos ?? 1
  const monthly = wanted <= quota.daily && (verdict.usedMonth ?? 0) + wanted > quota.monthly
  const resetAt = monthly ? resets.month : resets.day
  const limit = monthly ? quota.monthly : quota.daily
  return new ServiceError('QUOTA_EXCEEDED', {
    ...(wanted > limit && { message: 'The batch has more videos than the quota of your plan.', retryable: false }),
    details: {
      quota: monthly ? 'monthly' : 'daily',
      limit,
      used: Math.min(limit, (monthly ? verdict.usedMonth : verdict.usedDay) ?? 0),
      reset_at: resetAt.toISOString(),
      ...(videos !== undefined && { requested: videos }),
    },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1_000)),
  })
}
