import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { Plan } from '../plans.ts'
import { queryInteger } from '../query-values.ts'
import { SummaryMode } from '../vocabulary.ts'

export const GRANULARITIES = ['hourly', 'daily', 'weekly', 'monthly'] as const
export const Granularity = z.enum(GRANULARITIES).meta({ id: 'Granularity' })
export type Granularity = z.infer<typeof Granularity>

const counter = (description: string) => z.int().min(0).meta({ description })

export const UsagePeriod = z
  .object({
    start_date: z.iso.datetime().meta({ description: 'First instant of the period.' }),
    end_date: z.iso.datetime().meta({ description: 'First instant after the period. May be in the future.' }),
    total_requests: counter('All requests with a valid key or session.'),
    successful_requests: counter('Requests with a response status below 400.'),
    failed_requests: counter('All other requests, including those refused with 429.'),
    total_tokens: counter('Tokens of the jobs that ended in the period: input, output and cached input.'),
    total_cost: z.number().min(0).meta({
      description: 'Cost in US dollars, with 6 decimals, of the jobs that ended in the period, including failed ones.',
    }),
    videos_processed: counter('Jobs that completed in the period.'),
  })
  .meta({ id: 'UsagePeriod' })
export type UsagePeriod = z.infer<typeof UsagePeriod>

const resetAt = z.iso.datetime().meta({ description: 'When the next period begins.' })

export const QuotaStatus = z
  .object({
    limit: z.int().nullable().meta({ description: 'Videos per period. Null if there is no limit.' }),
    used: counter(
      'Videos accepted in the period and not returned to the quota. What is accepted without a limit, as for admin keys, does not count.',
    ),
    remaining: z.int().min(0).nullable().meta({ description: 'Null if there is no limit.' }),
    reset_at: resetAt,
  })
  .meta({ id: 'QuotaStatus' })

const SpendingStatus = z
  .object({
    limit_usd: z.number().min(0).nullable().meta({ description: 'The limit of the account. Null if there is none.' }),
    used_usd: z
      .number()
      .min(0)
      .meta({ description: 'What receipts say: the calls of the language model in the period.' }),
    reserved_usd: z.number().min(0).meta({
      description:
        'The highest possible cost of the calls that are running, and of those whose end is unknown, because something crashed.',
    }),
    reset_at: resetAt,
  })
  .meta({ id: 'SpendingStatus', description: 'US dollars, with 6 decimals.' })

const RateLimitStatus = z
  .object({ limit: z.int().min(0), used: z.int().min(0), remaining: z.int().min(0), reset_at: resetAt })
  .meta({ id: 'RateLimitStatus' })

export const CurrentUsage = z
  .object({
    current_period: UsagePeriod.meta({
      description: 'Sums over the whole account in the current calendar month (UTC).',
    }),
    rate_limits: z.object({
      requests_per_hour: RateLimitStatus.meta({
        description: 'The current window of this key or person, including this request.',
      }),
    }),
    plan: Plan,
    quotas: z.object({ daily: QuotaStatus, monthly: QuotaStatus }),
    spending: z.object({ month: SpendingStatus }),
  })
  .meta({ id: 'CurrentUsage' })
export type CurrentUsage = z.infer<typeof CurrentUsage>

export const UsageHistory = z
  .object({
    periods: z
      .array(UsagePeriod)
      .meta({ description: 'Newest first, without gaps: periods without usage are included.' }),
    summary: z
      .object({
        total_periods: z.int().min(0),
        total_requests: z.int().min(0),
        total_tokens: z.int().min(0),
        total_cost: z.number().min(0).meta({ description: 'US dollars, to 6 decimals.' }),
        avg_requests_per_period: z.number().min(0).meta({ description: '0 if there are no periods.' }),
        granularity: Granularity,
      })
      .meta({ description: 'Sums over the periods in this response.' }),
    query_info: z.object({
      start_date: z.iso.datetime().nullable().meta({ description: 'First instant of the range; null if it is open.' }),
      end_date: z.iso.datetime().meta({ description: 'First instant after the range.' }),
      limit: z.int(),
      offset: z.int(),
      has_more: z
        .boolean()
        .meta({ description: 'Whether there is usage in the range before the oldest of these periods.' }),
    }),
  })
  .meta({ id: 'UsageHistory' })
export type UsageHistory = z.infer<typeof UsageHistory>

// Accepts more than it documents: JSON Schema has no format for a time without an offset.
const time = z.iso.datetime({ offset: true, local: true }).meta({ format: 'date-time', pattern: undefined })
/** Schema of a limit of a range. */
export const dateOrTime = z.union([z.iso.date(), time], {
  error: ({ input }) =>
    isPlusLost(input)
      ? 'Must be an ISO 8601 date and time. A `+` in a query means a space: write the offset with `%2B`, as in `%2B02:00`.'
      : 'Must be an ISO 8601 date, or a date and time. A time without an offset is UTC.',
})

/** Whether a time has a space in the place of the plus of its offset. */
const isPlusLost = (input: unknown): boolean => typeof input === 'string' && /T[\d:.]+ \d\d(?::?\d\d)?$/.test(input)
const DAY_MS = 86_400_000
const isDate = (text: string): boolean => !text.includes('T')
const toTime = (text: string): number =>
  Date.parse(isDate(text) || /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)

interface UsageRange {
  start_date?: string | undefined
  end_date?: string | undefined
}

/** Returns the requested range; null for an open end. An `end_date` without a time is included, one with a time is not. */
export function parseUsageRange(query: UsageRange): {
  start: Date | null
  end: Date | null
} {
  const { start_date: start, end_date: end } = query
  return {
    start: start === undefined ? null : new Date(toTime(start)),
    end: end === undefined ? null : new Date(toTime(end) + (isDate(end) ? DAY_MS : 0)),
  }
}

/** Adds an issue if a range ends before it starts. */
export function checkRange(query: UsageRange, issue: z.RefinementCtx): void {
  const { start, end } = parseUsageRange(query)
  // One time may be both ends, but a day that ends where the range starts is before it.
  if (start && end && (end < start || (end.getTime() === start.getTime() && isDate(query.end_date ?? '')))) {
    issue.addIssue({ code: 'custom', path: ['end_date'], message: 'Must not be before `start_date`.' })
  }
}

const money = (description: string) =>
  z
    .number()
    .min(0)
    .meta({ description: `US dollars, with 6 decimals: ${description}` })

export const EndpointUsage = z
  .object({
    endpoint: z.string().meta({ description: 'Method and path, such as `GET /videos/status/{job_id}`.' }),
    total_requests: counter('Requests with a valid key or session.'),
    successful_requests: counter('Requests with a response status below 400.'),
    failed_requests: counter('All other requests.'),
  })
  .meta({ id: 'EndpointUsage' })

export const ModeUsage = z
  .object({
    mode: SummaryMode,
    summaries: counter('Summaries of the jobs that completed in the range, including reused ones.'),
    total_tokens: counter('Tokens of the summaries that were written for these jobs.'),
    total_cost: money('the cost of these summaries.'),
  })
  .meta({ id: 'ModeUsage' })

export const KeyUsage = z
  .object({
    key_id: z
      .uuid()
      .nullable()
      .meta({ description: 'Null for requests with a session, such as those of the dashboard.' }),
    name: z.string().nullable().meta({ description: 'Null for keys that an operator created, and for sessions.' }),
    last_four: z.string().nullable().meta({ description: 'The last characters of the key; null for sessions.' }),
    total_requests: counter('All requests with this key.'),
    failed_requests: counter('Requests with a response status of 400 or more.'),
    videos_processed: counter('Jobs that completed.'),
    total_tokens: counter('Tokens of jobs and answers.'),
    total_cost: money('the cost of jobs and answers.'),
  })
  .meta({ id: 'KeyUsage' })

export const UsageBreakdown = z
  .object({
    start_date: z.iso.datetime().meta({ description: 'First instant of the range.' }),
    end_date: z.iso.datetime().meta({ description: 'First instant after the range.' }),
    endpoints: z.array(EndpointUsage).meta({ description: 'Most frequent first.' }),
    modes: z.array(ModeUsage).meta({
      description: 'Most expensive first. Answers in chats, infographics and failed attempts belong to no mode.',
    }),
    keys: z.array(KeyUsage).meta({ description: 'Most frequent first. A key sees only itself.' }),
  })
  .meta({ id: 'UsageBreakdown' })
export type UsageBreakdown = z.infer<typeof UsageBreakdown>

const MAX_BREAKDOWN_DAYS = 366

const BreakdownQuery = z
  .strictObject({
    start_date: dateOrTime.optional().meta({
      description: 'Start of the range, rounded down to the UTC day. Default: 30 days before its end.',
    }),
    end_date: dateOrTime.optional().meta({
      description: 'End of the range: a date is included, a time is rounded up to the UTC day. Default: now.',
    }),
  })
  .superRefine((query, issue) => {
    checkRange(query, issue)
    const { start, end } = parseUsageRange(query)
    if (!start || (end ?? new Date()).getTime() - start.getTime() <= MAX_BREAKDOWN_DAYS * DAY_MS) return
    issue.addIssue({
      code: 'custom',
      path: ['start_date'],
      message: `The range can span at most ${MAX_BREAKDOWN_DAYS} days.`,
    })
  })

const HistoryQuery = z
  .strictObject({
    start_date: dateOrTime.optional().meta({
      description:
        'Start of the range, as a date (UTC) or a time. It is rounded down to the hour (`hourly`) or the day. Default: as far back as `limit` and `offset` reach.',
    }),
    end_date: dateOrTime.optional().meta({
      description:
        'End of the range: a date is included, a time is not. It is rounded up to the hour (`hourly`) or the day. Default: now. Periods that have not started are left out.',
    }),
    granularity: Granularity.default('daily').meta({
      description:
        'Length of a period: UTC hours, UTC days, ISO weeks (starting on Monday) or calendar months, cut at the ends of the range.',
    }),
    limit: queryInteger(1, 366).default(30).meta({ description: 'Maximum number of periods.' }),
    offset: queryInteger(0, 100_000).default(0).meta({ description: 'Number of newest periods to skip.' }),
  })
  .superRefine(checkRange)

export const usage = {
  current: defineRoute({
    method: 'get',
    path: '/usage/current',
    operationId: 'getCurrentUsage',
    summary: 'Usage of the current month, quotas and request limit',
    description:
      "Returns the account's usage in the current calendar month (UTC), its quotas, and the request window of the caller. For information, not a bill: requests of the last second can be missing.",
    access: 'read',
    query: z.strictObject({}),
    response: CurrentUsage,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
  history: defineRoute({
    method: 'get',
    path: '/usage/history',
    operationId: 'getUsageHistory',
    summary: 'Usage over time',
    description:
      "Returns the calling key's usage by hour, day, week or month; people who have signed in get that of the whole account. A job belongs to the period in which it ended. The sums agree with the `usage` of the jobs' results; failed jobs add what was spent on them. For information, not a bill: requests of the last second can be missing.",
    access: 'read',
    query: HistoryQuery,
    response: UsageHistory,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
  breakdown: defineRoute({
    method: 'get',
    path: '/usage/breakdown',
    operationId: 'getUsageBreakdown',
    summary: 'Usage by endpoint, mode and key',
    description:
      'Returns what the calling key has used within a range of UTC days, by endpoint, by summary mode and by key; people who have signed in get that of the whole account. For information, not a bill: requests of the last second can be missing, and summaries of deleted jobs are.',
    access: 'read',
    query: BreakdownQuery,
    response: UsageBreakdown,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
