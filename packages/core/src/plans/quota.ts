import { type PlanQuotas, type Quota, ServiceError } from '@subtext/contracts'
import { type Actor, isAdmin } from '../context.ts'
import { applyOwnQuota } from './own-quota.ts'
import type { QuotaPeriods } from './quota-sql.ts'

/*
 * Rules of quotas that only the statements which accept jobs can enforce, because they hold the locks on the counters
 * (`ACCEPT_JOBS` and `ACCEPT_BATCH` in `accept-statement-sql.ts`):
 * - A job is accepted if both periods of its account allow one more; those that arrive together, first come, first served. A batch
 *   is accepted as a whole or not at all (`APPLY_QUOTAS`).
 * - The owner of a verified address is told by email when 80% and when 100% of a quota is used, once for each period and limit. If
 *   one call reaches both, only of 100% (`QUEUE_NOTICES`).
 */

const DAY_MS = 86_400_000

export interface QuotaContext {
  planQuotas: PlanQuotas
}

/** Returns the quota of the actor's jobs; null: unlimited. */
export const selectQuota = ({ planQuotas }: QuotaContext, actor: Actor): Quota | null =>
  isAdmin(actor) ? null : applyOwnQuota(planQuotas[actor.plan], actor.ownQuota)

/** Returns the UTC day and month of `now`. */
export function quotaPeriods(now: Date): QuotaPeriods {
  const day = now.toISOString().slice(0, 10)
  return { day, month: `${day.slice(0, 7)}-01` }
}

/** Returns the ends of the UTC day and month of `now`. */
export function quotaResets(now: Date): { day: Date; month: Date } {
  return {
    day: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + DAY_MS),
    month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
  }
}

/** Videos used in the day and the month. Null for accounts without a quota or without counters. */
interface UsedQuota {
  usedDay: number | null
  usedMonth: number | null
}

/** Returns whether both periods allow `videos` more. */
export const hasCapacity = (quota: Quota, { usedDay, usedMonth }: UsedQuota, videos = 1): boolean =>
  (usedDay ?? 0) + videos <= quota.daily && (usedMonth ?? 0) + videos <= quota.monthly

const TOO_LARGE = 'The batch has more videos than the quota of your plan.'
const NO_VIDEOS = 'Your plan includes no videos on this installation.'

/**
 * Builds the refusal of a job, or of a batch of `videos`. It names the quota that blocks for longer, and is final for what is
 * larger than the whole quota.
 */
export function quotaExceeded(quota: Quota, used: UsedQuota, now: Date, videos?: number): ServiceError {
  const resets = quotaResets(now)
  const requested = videos ?? 1
  const monthly = requested <= quota.daily && (used.usedMonth ?? 0) + requested > quota.monthly
  const resetAt = monthly ? resets.month : resets.day
  const limit = monthly ? quota.monthly : quota.daily
  return new ServiceError('QUOTA_EXCEEDED', {
    ...(requested > limit && { message: videos === undefined ? NO_VIDEOS : TOO_LARGE, retryable: false }),
    details: {
      quota: monthly ? 'monthly' : 'daily',
      limit,
      used: Math.min(limit, (monthly ? used.usedMonth : used.usedDay) ?? 0),
      reset_at: resetAt.toISOString(),
      ...(videos !== undefined && { requested: videos }),
    },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1_000)),
  })
}
