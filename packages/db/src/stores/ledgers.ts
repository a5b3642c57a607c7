import type { Sql } from '../client.ts'

/** Gives a job's reservation back to the very periods it was taken from, once; nothing for a job without a quota. */
export async function releaseQuota(sql: Sql, jobId: string): Promise<void> {
  await sql.query(
    `WITH entry AS (
       INSERT INTO quota_entries (job_id, kind, user_id, created_at)
       SELECT id, 'release', user_id, now() FROM jobs WHERE id = $1 AND quota_day IS NOT NULL
       ON CONFLICT DO NOTHING
       RETURNING job_id
     ), held AS (
       -- In the order of the accepting statement, so that the two cannot wait for each other.
       SELECT q.user_id, q.period, q.starts_on
       FROM entry JOIN jobs j ON j.id = entry.job_id JOIN quota_usage q ON q.user_id = j.user_id
         AND ((q.period = 'day' AND q.starts_on = j.quota_day) OR (q.period = 'month' AND q.starts_on = j.quota_month))
       ORDER BY q.user_id, q.period
       FOR UPDATE OF q
     )
     UPDATE quota_usage q SET used = q.used - 1
     FROM held WHERE (q.user_id, q.period, q.starts_on) = (held.user_id, held.period, held.starts_on)`,
    [jobId],
  )
}

export interface UsageEntry {
  jobId: string
  userId: string
  apiKeyId: string | null
  outcome: 'completed' | 'failed'
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  costUsd: number
}

export async function recordUsage(sql: Sql, entry: UsageEntry): Promise<void> {
  await sql.query(
    `INSERT INTO usage_entries (job_id, user_id, api_key_id, outcome, input_tokens, output_tokens,
       cached_input_tokens, cost_usd, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
    [
      entry.jobId,
      entry.userId,
      entry.apiKeyId,
      entry.outcome,
      entry.inputTokens,
      entry.outputTokens,
      entry.cachedInputTokens,
      entry.costUsd,
    ],
  )
}
