import type { CurrentUsage, Granularity, UsageBreakdown, UsageHistory, UsagePeriod } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import type {
  AccountUsage,
  KeyUsageBreakdown,
  QuotaState,
  Quotas,
  UsageHistoryPage,
  UsageSums,
} from '@subtext/core/usage'
import type { RequestWindow } from '@subtext/queue'

/** Rounds an amount in US dollars to 6 decimals. */
export const roundUsd = (amount: number): number => Math.round(amount * 1e6) / 1e6

const presentPeriod = (period: UsageSums & { start: Date; end: Date }): UsagePeriod => ({
  start_date: period.start.toISOString(),
  end_date: period.end.toISOString(),
  total_requests: period.requests,
  successful_requests: period.succeeded,
  failed_requests: period.failed,
  total_tokens: period.tokens,
  total_cost: roundUsd(period.costUsd),
  videos_processed: period.videos,
})

const presentQuota = ({ limit, used, remaining, resetAt }: QuotaState) => ({
  limit,
  used,
  remaining,
  reset_at: resetAt.toISOString(),
})

export const presentQuotas = ({ daily, monthly }: Quotas) => ({
  daily: presentQuota(daily),
  monthly: presentQuota(monthly),
})

export const presentCurrentUsage = (actor: Actor, usage: AccountUsage, window: RequestWindow): CurrentUsage => ({
  current_period: presentPeriod(usage.period),
  rate_limits: {
    requests_per_hour: {
      limit: window.limit,
      used: window.used,
      remaining: window.remaining,
      reset_at: window.resetAt.toISOString(),
    },
  },
  plan: actor.plan,
  quotas: presentQuotas(usage.quotas),
  spending: {
    month: {
      limit_usd: usage.spending.monthLimitUsd,
      used_usd: roundUsd(usage.spending.monthUsedUsd),
      reserved_usd: roundUsd(usage.spending.monthReservedUsd),
      reset_at: usage.spending.resetAt.toISOString(),
    },
  },
})

export function presentUsageHistory(
  { periods, start, end, hasMore }: UsageHistoryPage,
  { granularity, limit, offset }: { granularity: Granularity; limit: number; offset: number },
): UsageHistory {
  const sum = (pick: (period: UsageSums) => number): number =>
    periods.reduce((total, period) => total + pick(period), 0)
  const requests = sum((period) => period.requests)
  return {
    periods: periods.map(presentPeriod),
    summary: {
      total_periods: periods.length,
      total_requests: requests,
      total_tokens: sum((period) => period.tokens),
      total_cost: roundUsd(sum((period) => period.costUsd)),
      avg_requests_per_period: periods.length === 0 ? 0 : requests / periods.length,
      granularity,
    },
    query_info: {
      start_date: start?.toISOString() ?? null,
      end_date: end.toISOString(),
      limit,
      offset,
      has_more: hasMore,
    },
  }
}

export const presentUsageBreakdown = ({ start, end, endpoints, modes, keys }: KeyUsageBreakdown): UsageBreakdown => ({
  start_date: start.toISOString(),
  end_date: end.toISOString(),
  endpoints: endpoints.map(({ endpoint, requests, succeeded, failed }) => ({
    endpoint,
    total_requests: requests,
    successful_requests: succeeded,
    failed_requests: failed,
  })),
  modes: modes.map(({ mode, summaries, tokens, costUsd }) => ({
    mode,
    summaries,
    total_tokens: tokens,
    total_cost: roundUsd(costUsd),
  })),
  keys: keys.map(({ apiKeyId, name, lastFour, requests, failed, videos, tokens, costUsd }) => ({
    key_id: apiKeyId,
    name,
    last_four: lastFour,
    total_requests: requests,
    failed_requests: failed,
    videos_processed: videos,
    total_tokens: tokens,
    total_cost: roundUsd(costUsd),
  })),
})
