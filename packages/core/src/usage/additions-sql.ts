import type { Sql } from '@subtext/db'

/**
 * The part of a statement that appends what the rows of its `entry`, new ones of `usage_entries`, add to the sums. No row of
 * the sums is locked, so jobs of the same account do not wait for each other. Only completed jobs count as videos.
 */
export const APPEND_USAGE = `
INSERT INTO usage_additions (user_id, id, api_key_id, videos, input_tokens, output_tokens, cached_input_tokens, cost_usd,
  created_at)
SELECT user_id, CASE subject_kind WHEN 'job' THEN job_id ELSE subject_id END,
  coalesce(api_key_id, '00000000-0000-0000-0000-000000000000'), (subject_kind = 'job' AND outcome = 'completed')::int,
  input_tokens, output_tokens, cached_input_tokens, cost_usd, created_at
FROM entry
WHERE (subject_kind = 'job' AND outcome = 'completed') OR input_tokens + output_tokens + cached_input_tokens > 0`

const FOLD_LOCK = 20_261_122

// Locks the sums in the order of `addRequestCounts`.
const FOLD = `
WITH lock AS MATERIALIZED (
  SELECT pg_try_advisory_xact_lock($1) AS acquired
), taken AS (
  DELETE FROM usage_additions WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM usage_additions WHERE (SELECT acquired FROM lock) LIMIT $2
  ))
  RETURNING *
), folded AS (
  INSERT INTO usage_rollups (user_id, api_key_id, span, starts_at, videos, input_tokens, output_tokens,
    cached_input_tokens, cost_usd)
  SELECT user_id, api_key_id, span, date_trunc(span::text, created_at, 'UTC') AS starts_at, sum(videos),
    sum(input_tokens), sum(output_tokens), sum(cached_input_tokens), sum(cost_usd)
  FROM taken, unnest('{hour,day}'::rollup_span[]) AS spans(span)
  GROUP BY user_id, api_key_id, span, date_trunc(span::text, created_at, 'UTC')
  ORDER BY user_id, api_key_id, span, starts_at
  ON CONFLICT (user_id, span, api_key_id, starts_at) DO UPDATE SET
    videos = usage_rollups.videos + excluded.videos,
    input_tokens = usage_rollups.input_tokens + excluded.input_tokens,
    output_tokens = usage_rollups.output_tokens + excluded.output_tokens,
    cached_input_tokens = usage_rollups.cached_input_tokens + excluded.cached_input_tokens,
    cost_usd = usage_rollups.cost_usd + excluded.cost_usd
)
SELECT count(*)::int AS count FROM taken`

/**
 * Moves up to `limit` additions to the sums of their hours and days, and returns how many. One statement takes them away and
 * adds them, so each counts once, even if several sessions fold or one is interrupted. While another session folds, it does
 * nothing, because waiting for the same rows would not help.
 */
export async function foldUsageAdditions(sql: Sql, limit: number): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(FOLD, [FOLD_LOCK, limit])
  return rows[0]?.count ?? 0
}
