import type { Quota } from '@subtext/contracts'

/** Quotas that an operator has given an account; null: that of its plan. */
export interface OwnQuota {
  daily: number | null
  monthly: number | null
}

/** The highest quota that an account can be given. */
export const MAX_OWN_QUOTA = 1_000_000_000

/** Returns the quota of an account on a plan with this one; null: unlimited. */
export function applyOwnQuota(planQuota: Quota | null, own: OwnQuota | undefined): Quota | null {
  const { daily = null, monthly = null } = own ?? {}
  if (daily === null && monthly === null) return planQuota
  const { daily: planDaily, monthly: planMonthly } = planQuota ?? { daily: MAX_OWN_QUOTA, monthly: MAX_OWN_QUOTA }
  return { daily: daily ?? planDaily, monthly: monthly ?? planMonthly }
}
