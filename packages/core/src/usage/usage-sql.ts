import type { Granularity } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { QuotaPeriods } from '../plans/index.ts'

/** The ID that marks usage without a key, which is that of people who have signed in. */
export const NO_KEY = '00000000-0000-0000-0000-000000000000'

/** The requests of a key to an endpoint that were answered within a UTC hour. */
export interface RequestCount {
  userId: string
  apiKeyId: string
  hour: Date
  /** Method and path, such as `GET /videos/status/{job_id}`. Null for a path that does not exist. */
  endpoint: string | null
  succeeded: number
  failed: number
}

/**
 * Adds requests to the sums of their hours and days. Rows are locked in the same order as in
 * `foldUsageAdditions`, so that these statements cannot deadlock.
 */
export async function addRequestCounts(sql: Sql, counts: Omit<RequestCount, 'endpoint'>[]): Promise<void> {
  await sql.query(
    `WITH counted AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bigint[], $5::bigint[])
         AS c(user_id, api_key_id, hour, succeeded, failed)
     )
     INSERT INTO usage_rollups (user_id, api_key_id, span, starts_at, requests, succeeded, failed)
     SELECT user_id, api_key_id, span, date_trunc(span::text, hour, 'UTC') AS starts_at,
       sum(succeeded + failed), sum(succeeded), sum(failed)
     FROM counted, unnest('{hour,day}'::rollup_span[]) AS spans(span)
     GROUP BY user_id, api_key_id, span, date_trunc(span::text, hour, 'UTC')
     ORDER BY user_id, api_key_id, span, starts_at
     ON CONFLICT (user_id, span, api_key_id, starts_at) DO UPDATE SET
       requests = usage_rollups.requests + excluded.requests,
       succeeded = usage_rollups.succeeded + excluded.succeeded,
       failed = usage_rollups.failed + excluded.failed`,
    [
      counts.map((count) => count.userId),
      counts.map((count) => count.apiKeyId),
      counts.map((count) => count.hour),
      counts.map((count) => count.succeeded),
      counts.map((count) => count.failed),
    ],
  )
}

export interface UsageSums {
  requests: number
  succeeded: number
  failed: number
  videos: number
  tokens: number
  /** US dollars, exact to 6 decimals. */
  costUsd: number
}

// Added as integers and decimals; only the sums are converted to floating-point numbers.
const SUMS = `coalesce(sum(requests), 0)::float8 AS requests, coalesce(sum(succeeded), 0)::float8 AS succeeded,
  coalesce(sum(failed), 0)::float8 AS failed, coalesce(sum(videos), 0)::float8 AS videos,
  coalesce(sum(input_tokens + output_tokens + cached_input_tokens), 0)::float8 AS tokens,
  coalesce(sum(cost_usd), 0)::float8 AS "costUsd"`

export const NO_USAGE: UsageSums = { requests: 0, succeeded: 0, failed: 0, videos: 0, tokens: 0, costUsd: 0 }

const FIELDS: Record<Granularity, string> = { hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month' }

// Usage that is not folded yet, and the sums that contain it once it is. One statement sees it in only one of the two.
const ADDITION = `0 AS requests, 0 AS succeeded, 0 AS failed, videos, input_tokens, output_tokens, cached_input_tokens,
  cost_usd`
const ROLLUP = 'requests, succeeded, failed, videos, input_tokens, output_tokens, cached_input_tokens, cost_usd'

/** Sums the usage of all keys of an account. `start` and the exclusive `end` are starts of UTC days. */
export async function sumAccountUsage(sql: Sql, userId: string, start: Date, end: Date): Promise<UsageSums> {
  // With the keys given, the primary key leads to the requested days; without them, to every day of every key.
  const { rows } = await sql.query<UsageSums>(
    `SELECT ${SUMS} FROM (
       SELECT ${ROLLUP} FROM usage_rollups
       WHERE user_id = $1 AND span = 'day' AND starts_at >= $2 AND starts_at < $3
         AND api_key_id = ANY (ARRAY(
           SELECT id FROM api_keys WHERE user_id = $1 UNION ALL SELECT '${NO_KEY}'::uuid
         ))
       UNION ALL
       SELECT ${ADDITION} FROM usage_additions WHERE user_id = $1 AND created_at >= $2 AND created_at < $3
     ) usage`,
    [userId, start, end],
  )
  return rows[0] ?? NO_USAGE
}

/** The usage to report: that of a key or, with null, of the whole account. */
export interface UsageOwner {
  userId: string
  apiKeyId: string | null
}

const OF_KEY = 'user_id = $1 AND api_key_id = $2'
// With the keys given, the primary key leads to the requested times; without them, to all times of every key.
const OF_ACCOUNT = `user_id = $1 AND api_key_id = ANY (ARRAY(
    SELECT id FROM api_keys WHERE user_id = $1 UNION ALL SELECT coalesce($2::uuid, '${NO_KEY}')
  ))`
const rollupsOf = ({ apiKeyId }: UsageOwner): string => (apiKeyId === null ? OF_ACCOUNT : OF_KEY)
/** An account has few of them, because they are folded once a second. */
const additionsOf = ({ apiKeyId }: UsageOwner): string => (apiKeyId === null ? 'user_id = $1' : OF_KEY)

/**
 * Lists usage by windows of UTC time (weeks begin on Monday). Windows without usage are left out. `start`
 * and the exclusive `end` are starts of hours for the granularity `hourly`, and of days otherwise.
 */
export async function listUsage(
  sql: Sql,
  owner: UsageOwner,
  { granularity, start, end }: { granularity: Granularity; start: Date; end: Date },
): Promise<(UsageSums & { startsAt: Date })[]> {
  const { rows } = await sql.query<UsageSums & { startsAt: Date }>(
    `SELECT date_trunc($4, at, 'UTC') AS "startsAt", ${SUMS} FROM (
       SELECT starts_at AS at, ${ROLLUP} FROM usage_rollups
       WHERE ${rollupsOf(owner)} AND span = $3::rollup_span AND starts_at >= $5 AND starts_at < $6
       UNION ALL
       SELECT created_at, ${ADDITION} FROM usage_additions
       WHERE ${additionsOf(owner)} AND created_at >= $5 AND created_at < $6
     ) usage
     GROUP BY 1`,
    [owner.userId, owner.apiKeyId, granularity === 'hourly' ? 'hour' : 'day', FIELDS[granularity], start, end],
  )
  return rows
}

/** Returns whether there is usage in the range. A `start` of null means from the beginning. */
export async function hasUsage(
  sql: Sql,
  owner: UsageOwner,
  { start, end }: { start: Date | null; end: Date },
): Promise<boolean> {
  const { rows } = await sql.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM usage_rollups
       WHERE ${rollupsOf(owner)} AND span = 'hour' AND starts_at >= $3 AND starts_at < $4
     ) OR EXISTS (
       SELECT FROM usage_additions WHERE ${additionsOf(owner)} AND created_at >= $3 AND created_at < $4
     ) AS found`,
    [owner.userId, owner.apiKeyId, start ?? new Date(0), end],
  )
  return rows[0]?.found ?? false
}

/** Returns the number of videos reserved in the periods. */
export async function findQuotaUsage(
  sql: Sql,
  userId: string,
  periods: QuotaPeriods,
): Promise<{ day: number; month: number }> {
  const { rows } = await sql.query<{ period: 'day' | 'month'; used: number }>(
    `SELECT period, used FROM quota_usage
     WHERE user_id = $1 AND (period, starts_on) IN (('day', $2::date), ('month', $3::date))`,
    [userId, periods.day, periods.month],
  )
  const usedIn = (period: 'day' | 'month'): number => rows.find((row) => row.period === period)?.used ?? 0
  return { day: usedIn('day'), month: usedIn('month') }
}
