import type { z } from 'zod'
import type { CurrentUsage, UsageHistory, UsagePeriod } from '../routes/usage.ts'

const month: UsagePeriod = {
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2026-02-01T00:00:00.000Z',
  total_requests: 412,
  successful_requests: 405,
  failed_requests: 7,
  total_tokens: 98_210,
  total_cost: 0.4213,
  videos_processed: 38,
}

const day: UsagePeriod = {
  start_date: '2026-01-14T00:00:00.000Z',
  end_date: '2026-01-15T00:00:00.000Z',
  total_requests: 40,
  successful_requests: 40,
  failed_requests: 0,
  total_tokens: 9120,
  total_cost: 0.0391,
  videos_processed: 4,
}

export const CURRENT_USAGE: z.input<typeof CurrentUsage> = {
  current_period: month,
  rate_limits: {
    requests_per_hour: { limit: 3000, used: 12, remaining: 2988, reset_at: '2026-01-14T11:00:00.000Z' },
  },
  plan: 'pro',
  quotas: {
    daily: { limit: 30, used: 4, remaining: 26, reset_at: '2026-01-15T00:00:00.000Z' },
    monthly: { limit: 200, used: 38, remaining: 162, reset_at: '2026-02-01T00:00:00.000Z' },
  },
}

export const USAGE_HISTORY: z.input<typeof UsageHistory> = {
  periods: [day],
  summary: {
    total_periods: 1,
    total_requests: 40,
    total_tokens: 9120,
    total_cost: 0.0391,
    avg_requests_per_period: 40,
    granularity: 'daily',
  },
  query_info: {
    start_date: '2026-01-14T00:00:00.000Z',
    end_date: '2026-01-15T00:00:00.000Z',
    limit: 30,
    offset: 0,
    has_more: false,
  },
}
