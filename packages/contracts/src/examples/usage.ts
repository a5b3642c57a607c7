import type { z } from 'zod'
import type { CurrentUsage, UsageBreakdown, UsageHistory, UsagePeriod } from '../routes/usage.ts'
import type { OperationExamples } from './operation-examples.ts'

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

const CURRENT_USAGE: z.input<typeof CurrentUsage> = {
  current_period: month,
  rate_limits: {
    requests_per_hour: { limit: 3000, used: 12, remaining: 2988, reset_at: '2026-01-14T11:00:00.000Z' },
  },
  plan: 'pro',
  quotas: {
    daily: { limit: 30, used: 4, remaining: 26, reset_at: '2026-01-15T00:00:00.000Z' },
    monthly: { limit: 200, used: 38, remaining: 162, reset_at: '2026-02-01T00:00:00.000Z' },
  },
  spending: {
    month: { limit_usd: 20, used_usd: 0.0391, reserved_usd: 0.0084, reset_at: '2026-02-01T00:00:00.000Z' },
  },
}

const USAGE_HISTORY: z.input<typeof UsageHistory> = {
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

const USAGE_BREAKDOWN: z.input<typeof UsageBreakdown> = {
  start_date: '2026-01-14T00:00:00.000Z',
  end_date: '2026-01-15T00:00:00.000Z',
  endpoints: [
    {
      endpoint: 'GET /videos/status/{job_id}',
      total_requests: 36,
      successful_requests: 36,
      failed_requests: 0,
    },
    { endpoint: 'POST /videos/process', total_requests: 4, successful_requests: 4, failed_requests: 0 },
  ],
  modes: [{ mode: 'tldr', summaries: 4, total_tokens: 9120, total_cost: 0.0391 }],
  keys: [
    {
      key_id: '0193a1f0-6e2b-7a90-b1c2-d3e4f5a6b7c8',
      name: 'Nightly import',
      last_four: '9f0e',
      total_requests: 40,
      failed_requests: 0,
      videos_processed: 4,
      total_tokens: 9120,
      total_cost: 0.0391,
    },
  ],
}

/** Examples of the operations on usage. */
export const USAGE_EXAMPLES: Record<string, OperationExamples> = {
  getCurrentUsage: {
    response: 'Usage of the current month, quotas and request limit.',
    data: { pro: { summary: 'Of an account on the Pro plan.', value: CURRENT_USAGE } },
  },
  getUsageHistory: {
    response: 'The periods and their sums.',
    data: { day: { summary: 'A single day.', value: USAGE_HISTORY } },
  },
  getUsageBreakdown: {
    response: 'What was used, by endpoint, mode and key.',
    data: { day: { summary: 'A single day of a single key.', value: USAGE_BREAKDOWN } },
  },
}
