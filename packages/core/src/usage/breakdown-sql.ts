import type { SummaryMode } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { NO_KEY, type RequestCount, type UsageOwner, type UsageSums } from './usage-sql.ts'

/** Adds requests to the counts of their endpoints. Rows are locked in the order of the primary key, so that these statements cannot deadlock. */
export async function addEndpointCounts(sql: Sql, counts: RequestCount[]): Promise<void> {
  const known = counts.filter(({ endpoint }) => endpoint !== null)
  if (known.length === 0) return
  await sql.query(
    `INSERT INTO endpoint_counts (user_id, api_key_id, day, endpoint, succeeded, failed)
     SELECT user_id, api_key_id, (hour AT TIME ZONE 'UTC')::date, endpoint, sum(succeeded), sum(failed)
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::bigint[], $6::bigint[])
       AS c(user_id, api_key_id, hour, endpoint, succeeded, failed)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
     ON CONFLICT (user_id, api_key_id, day, endpoint) DO UPDATE SET
       succeeded = endpoint_counts.succeeded + excluded.succeeded,
       failed = endpoint_counts.failed + excluded.failed`,
    [
      known.map((count) => count.userId),
      known.map((count) => count.apiKeyId),
      known.map((count) => count.hour),
      known.map((count) => count.endpoint),
      known.map((count) => count.succeeded),
      known.map((count) => count.failed),
    ],
  )
}

/** UTC days. `end` is exclusive. */
export interface DayRange {
  start: Date
  end: Date
}

export interface EndpointUsage {
  endpoint: string
  requests: number
  succeeded: number
  failed: number
}

// With the keys given, the primary keys lead directly to the requested days; without them, to all days of every key.
const OWN_KEYS = `api_key_id = ANY (ARRAY(
  SELECT id FROM api_keys WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2)
  UNION ALL SELECT '${NO_KEY}'::uuid WHERE $2::uuid IS NULL
))`

/** Lists the requests of a key or an account by endpoint, most frequent first. */
export async function listEndpointUsage(sql: Sql, owner: UsageOwner, range: DayRange): Promise<EndpointUsage[]> {
  const { rows } = await sql.query<EndpointUsage>(
    `SELECT endpoint, sum(succeeded + failed)::float8 AS requests, sum(succeeded)::float8 AS succeeded,
       sum(failed)::float8 AS failed
     FROM endpoint_counts
     WHERE user_id = $1 AND ${OWN_KEYS} AND day >= ($3::timestamptz AT TIME ZONE 'UTC')::date
       AND day < ($4::timestamptz AT TIME ZONE 'UTC')::date
     GROUP BY endpoint ORDER BY requests DESC, endpoint`,
    [owner.userId, owner.apiKeyId, range.start, range.end],
  )
  return rows
}

export interface ModeUsage {
  mode: SummaryMode
  summaries: number
  /** Tokens of the summaries that were written and not reused. */
  tokens: number
  costUsd: number
}

/**
 * Lists the summaries of the jobs that completed in the range by mode, the most expensive first. Those of jobs that have been
 * deleted since are missing.
 */
export async function listModeUsage(sql: Sql, owner: UsageOwner, range: DayRange): Promise<ModeUsage[]> {
  const entries = (key: string): string =>
    `SELECT job_id FROM usage_entries
     WHERE user_id = $1 AND ${key} AND created_at >= $3 AND created_at < $4 AND subject_kind = 'job'`
  const ofAccount = `SELECT e.job_id FROM api_keys
       CROSS JOIN LATERAL (${entries('api_key_id = api_keys.id')}) e WHERE api_keys.user_id = $1
     UNION ALL (${entries('api_key_id IS NULL AND $2::uuid IS NULL')})`
  const { rows } = await sql.query<ModeUsage>(
    `SELECT s.mode, count(*)::float8 AS summaries,
       coalesce(sum(s.input_tokens + s.cache_write_tokens + s.output_tokens + s.cached_tokens)
         FILTER (WHERE NOT own.reused), 0)::float8 AS tokens,
       coalesce(sum(s.cost_usd) FILTER (WHERE NOT own.reused), 0)::float8 AS "costUsd"
     FROM (${owner.apiKeyId === null ? ofAccount : entries('api_key_id = $2')}) entry
     JOIN job_summaries own ON own.job_id = entry.job_id
     JOIN summaries s ON s.id = own.summary_id
     GROUP BY s.mode ORDER BY "costUsd" DESC, s.mode`,
    [owner.userId, owner.apiKeyId, range.start, range.end],
  )
  return rows
}

export interface KeyUsage extends UsageSums {
  /** Null for usage without a key: that of the dashboard. */
  apiKeyId: string | null
  /** Null for keys that an operator created, and for usage without a key. */
  name: string | null
  lastFour: string | null
}

/** Lists the usage of the keys of an account, or of one key, the most frequent first. Keys without usage are left out. */
export async function listKeyUsage(sql: Sql, owner: UsageOwner, range: DayRange): Promise<KeyUsage[]> {
  const { rows } = await sql.query<KeyUsage>(
    `WITH usage AS (
       SELECT api_key_id, requests, succeeded, failed, videos, input_tokens + output_tokens + cached_input_tokens AS tokens,
         cost_usd
       FROM usage_rollups WHERE user_id = $1 AND span = 'day' AND ${OWN_KEYS} AND starts_at >= $3 AND starts_at < $4
       UNION ALL
       SELECT api_key_id, 0, 0, 0, videos, input_tokens + output_tokens + cached_input_tokens, cost_usd
       FROM usage_additions WHERE user_id = $1 AND ($2::uuid IS NULL OR api_key_id = $2) AND created_at >= $3 AND created_at < $4
     )
     SELECT k.id AS "apiKeyId", k.name, k.last_four AS "lastFour", sum(requests)::float8 AS requests,
       sum(succeeded)::float8 AS succeeded, sum(failed)::float8 AS failed, sum(videos)::float8 AS videos,
       sum(tokens)::float8 AS tokens, sum(usage.cost_usd)::float8 AS "costUsd"
     FROM usage LEFT JOIN api_keys k ON k.id = usage.api_key_id AND k.user_id = $1
     GROUP BY k.id, k.name, k.last_four ORDER BY requests DESC, k.id`,
    [owner.userId, owner.apiKeyId, range.start, range.end],
  )
  return rows
}
