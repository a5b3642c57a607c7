import { DEFAULT_QUOTAS, PLAN_NAMES, type Plan, type PlanQuotas, type Quota } from '@subtext/contracts'
import { list } from '@subtext/runtime'

const MAX_VIDEOS = 1_000_000_000
const OFF = 'off'

/** Returns a quota such as `10/50`, null for `off`, or undefined for anything else. */
function parseQuota(text: string): Quota | null | undefined {
  if (text === OFF) return null
  const [, daily, monthly] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const quota = { daily: Number(daily), monthly: Number(monthly) }
  return quota.daily <= MAX_VIDEOS && quota.monthly <= MAX_VIDEOS ? quota : undefined
}

const isPlan = (name: string): name is Plan => PLAN_NAMES.some((plan) => plan === name)

/** Parses quotas such as `free:3/3,plus:10/50,pro:off`. Plans that are not named keep their defaults. */
export const planQuotas = list
  .transform((entries, issue): PlanQuotas => {
    const quotas = { ...DEFAULT_QUOTAS }
    const named = new Set<Plan>()
    for (const entry of entries) {
      const [plan = '', text = '', ...rest] = entry.split(':').map((part) => part.trim())
      const quota = rest.length === 0 ? parseQuota(text) : undefined
      if (!isPlan(plan)) issue.addIssue(`Must name one of the plans ${PLAN_NAMES.join(', ')} in "${entry}".`)
      else if (named.has(plan)) issue.addIssue(`Must name the plan ${plan} only once.`)
      else named.add(plan)
      if (quota === undefined) {
        issue.addIssue(
          `Must give the videos per day and per month in "${entry}", such as free:3/3, up to ${MAX_VIDEOS} each, or off.`,
        )
      } else if (isPlan(plan)) quotas[plan] = quota
    }
    return quotas
  })
  .prefault('')
  .describe(
    'Videos per day and per month for the plans, as in free:3/3,plus:10/50,pro:off, where off is unlimited. Plans that are not named keep their defaults: docs/guides/limits.md',
  )
