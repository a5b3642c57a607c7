import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { Plan } from '../plans.ts'

export const GRANULARITIES = ['hourly', 'daily', 'weekly', 'monthly'] as const
export const Granularity = z.enum(GRANULARITIES)
export type Granularity = z.infer<typeof Granularity>

const counter = (description: string) => z.int().min(0).meta({ description })

export const UsagePeriod = z
  .object({
    start_date: z.iso.datetime().meta({ description: 'First instant of the period.' }),
    end_date: z.iso.datetime().meta({ description: 'First instant after the period, which may lie in the future.' }),
    total_requests: counter('Requests with a valid key, whatever they asked for.'),
    successful_requests: counter('Those answered with a status below 400.'),
    failed_requests: counter('All others, 429 included.'),
    total_tokens: counter('Tokens of the jobs that ended in the period: input, output and cached input.'),
    total_cost: z
      .number()
      .min(0)
      .meta({ description: 'US dollars, to 6 decimals, of the jobs that ended in the period, failed ones included.' }),
    videos_processed: counter('Jobs that were completed in the period.'),
  })
  .meta({ id: 'UsagePeriod' })
export type UsagePeriod = z.infer<typeof UsagePeriod>

const resetAt = z.iso.datetime().meta({ description: 'When the next period begins.' })

const QuotaStatus = z
  .object({
    limit: z.int().nullable().meta({ description: 'Videos a period; null: no limit (admin).' }),
    used: counter('Videos accepted in the period and not given back. Jobs without a limit do not count.'),
    remaining: z.int().min(0).nullable().meta({ description: 'Null where there is no limit.' }),
    reset_at: resetAt,
  })
  .meta({ id: 'QuotaStatus' })

const RateLimitStatus = z
  .object({ limit: z.int().min(0), used: z.int().min(0), remaining: z.int().min(0), reset_at: resetAt })
  .meta({ id: 'RateLimitStatus' })

export const CurrentUsage = z
  .object({
    current_period: UsagePeriod.meta({
      description: 'All keys of the account together, in this calendar month (UTC).',
    }),
    rate_limits: z.object({
      requests_per_hour: RateLimitStatus.meta({ description: 'The window of this key, this request included.' }),
    }),
    plan: Plan,
    quotas: z.object({ daily: QuotaStatus, monthly: QuotaStatus }),
  })
  .meta({ id: 'CurrentUsage' })
export type CurrentUsage = z.infer<typeof CurrentUsage>

export const UsageHistory = z
  .object({
    periods: z.array(UsagePeriod).meta({ description: 'Newest first, without gaps: periods without usage are there.' }),
    summary: z
      .object({
        total_periods: z.int().min(0),
        total_requests: z.int().min(0),
        total_tokens: z.int().min(0),
        total_cost: z.number().min(0).meta({ description: 'US dollars, to 6 decimals.' }),
        avg_requests_per_period: z.number().min(0).meta({ description: '0 where there is no period.' }),
        granularity: Granularity,
      })
      .meta({ description: 'Of the periods in this answer.' }),
    query_info: z.object({
      start_date: z.iso.datetime().nullable().meta({ description: 'First instant of the range; null: no beginning.' }),
      end_date: z.iso.datetime().meta({ description: 'First instant after the range.' }),
      limit: z.int(),
      offset: z.int(),
      has_more: z.boolean().meta({ description: 'The key has usage in the range before the oldest of these periods.' }),
    }),
  })
  .meta({ id: 'UsageHistory' })
export type UsageHistory = z.infer<typeof UsageHistory>

const whole = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(least).max(most))
// Documented more narrowly than it is: a time without an offset has no name in JSON Schema.
const time = z.iso.datetime({ offset: true, local: true }).meta({ format: 'date-time', pattern: undefined })
const dateOrTime = z.union([z.iso.date(), time], {
  error: 'Must be an ISO 8601 date, or a date and time; without an offset it is UTC.',
})
const DAY_MS = 86_400_000
const isDate = (text: string): boolean => !text.includes('T')
const toTime = (text: string): number =>
  Date.parse(isDate(text) || /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)

/** The range asked for; null where it is open. A bare `end_date` is included, a time is not. */
export function parseUsageRange(query: { start_date?: string; end_date?: string }): {
  start: Date | null
  end: Date | null
} {
  const { start_date: start, end_date: end } = query
  return {
    start: start === undefined ? null : new Date(toTime(start)),
    end: end === undefined ? null : new Date(toTime(end) + (isDate(end) ? DAY_MS : 0)),
  }
}

const HistoryQuery = z
  .strictObject({
    start_date: dateOrTime.optional().meta({
      description:
        'Begin of the range, as date (UTC) or time; rounded down to an hour (hourly) or a day (else). Default: as far back as `limit` and `offset` reach.',
    }),
    end_date: dateOrTime.optional().meta({
      description:
        'End of the range: a date is included, a time is not; rounded up to an hour (hourly) or a day (else). Default: now. Periods that have not begun are left out.',
    }),
    granularity: Granularity.default('daily').meta({
      description:
        'Periods are UTC hours, UTC days, ISO weeks (from Monday) or calendar months, cut where the range is.',
    }),
    limit: whole(1, 366).default(30).meta({ description: 'Most periods to answer with.' }),
    offset: whole(0, 100_000).default(0).meta({ description: 'Newest periods to leave out.' }),
  })
  .superRefine((query, issue) => {
    const { start, end } = parseUsageRange(query)
    // A time may be both; a day that ends where the range begins lies before it.
    if (start && end && (end < start || (end.getTime() === start.getTime() && isDate(query.end_date ?? '')))) {
      issue.addIssue({ code: 'custom', path: ['end_date'], message: 'Must not be before `start_date`.' })
    }
  })

export const usage = {
  current: defineRoute({
    method: 'get',
    path: '/usage/current',
    operationId: 'getCurrentUsage',
    summary: 'Usage of the current month, quotas and request limit',
    description:
      "The account's usage in the current calendar month (UTC), its quotas, and the request window of the calling key. Diagnostic, not a bill: requests of the last second may be missing.",
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
    summary: 'Usage of a key over time',
    description:
      "The calling key's usage by hour, day, week or month. A job belongs to the period in which it ended. The sums agree with the `usage` of the jobs' results; jobs that failed add what had been spent on them. Diagnostic, not a bill: requests of the last second may be missing.",
    access: 'read',
    query: HistoryQuery,
    response: UsageHistory,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
}
