import { PLANS, type ServiceError, type VideoEstimate } from '@subtext/contracts'
import type { RequestWindow } from '@subtext/queue'
import type { Actor } from '../context.ts'
import type { Violation } from '../plans/gates.ts'
import { hasCapacity, type QuotaContext, quotaExceeded, quotaPeriods, selectQuota } from '../plans/quota.ts'
import { findSpentFor, type SpendingContext } from '../spending/admit.ts'
import { findQuotaUsage } from '../usage/index.ts'
import type { EstimateCosts, WantedVideo } from './costs.ts'

export type Verdict = Pick<VideoEstimate, 'would_accept' | 'violations' | 'quota'>

interface Submission {
  violations: Violation[]
  /** The caller's request window, which already counts the estimate. */
  window: RequestWindow
  /** Number of videos, which can be 1 in a batch as well. */
  videos: number
  wanted: readonly WantedVideo[]
  isBatch: boolean
}

/** Decides whether a submission would be accepted now, by the rules of submissions themselves. */
export async function reachVerdict(
  ctx: SpendingContext & QuotaContext & { estimateCosts: EstimateCosts },
  actor: Actor,
  { violations, window, videos, wanted, isBatch }: Submission,
): Promise<Verdict> {
  const now = ctx.clock()
  const quota = selectQuota(ctx, actor)
  const { day: usedDay, month: usedMonth } = await findQuotaUsage(ctx.db, actor.userId, quotaPeriods(now))
  const spent = await findSpentFor(ctx, actor, wanted)
  const isCovered = !quota || hasCapacity(quota, { usedDay, usedMonth }, videos)
  const refusals: Verdict['violations'] = [
    ...violations.map(describeViolation),
    ...(quota && !isCovered
      ? [describeRefusal(quotaExceeded(quota, { usedDay, usedMonth }, now, isBatch ? videos : undefined))]
      : []),
    ...(spent ? [describeRefusal(spent)] : []),
    ...(window.remaining > 0 ? [] : [describeWindow(window)]),
  ]
  return {
    would_accept: refusals.length === 0,
    violations: refusals,
    quota: {
      uses: quota ? videos : 0,
      daily_remaining: quota && Math.max(0, quota.daily - usedDay),
      monthly_remaining: quota && Math.max(0, quota.monthly - usedMonth),
    },
  }
}

const describeViolation = (violation: Violation): Verdict['violations'][number] => ({
  code: 'PLAN_UPGRADE_REQUIRED',
  message: `Requires the ${PLANS[violation.required_plan].displayName} plan.`,
  ...violation,
})

function describeRefusal({ message, details }: ServiceError): Verdict['violations'][number] {
  const { quota, limit, used, reset_at } = details as Pick<
    Verdict['violations'][number],
    'quota' | 'limit' | 'used' | 'reset_at'
  >
  return { code: 'QUOTA_EXCEEDED', message, quota, limit, used, reset_at }
}

const describeWindow = ({ limit, used, resetAt }: RequestWindow): Verdict['violations'][number] => ({
  code: 'RATE_LIMITED',
  message: 'This request was the last one that your request limit allows at the moment.',
  limit,
  used,
  reset_at: resetAt.toISOString(),
})
