import type { SummaryUsage } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { APPEND_USAGE } from './additions-sql.ts'

/** Returns a job's reservation to the periods it was taken from, once. Does nothing for a job without a quota. */
export async function releaseQuota(sql: Sql, jobId: string): Promise<void> {
  await sql.query(
    `WITH entry AS (
       INSERT INTO quota_entries (job_id, kind, user_id, created_at)
       SELECT id, 'release', user_id, now() FROM jobs WHERE id = $1 AND quota_day IS NOT NULL
       ON CONFLICT DO NOTHING
       RETURNING job_id
     ), held AS (
       -- In the order of the accepting statement, so that the two cannot deadlock.
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

/**
 * Reasons why a cancelled job still counts: one of its summaries could already be read, or the language model was paid for it.
 */
export type KeptBecause = 'summary_delivered' | 'model_paid'

/**
 * Keeps the reservation of a job if it has produced something of value, and records the reason in the ledger. Returns null if
 * it has not, or if it has no quota. Lock the job first, so that nothing can be added to it in the meantime.
 */
export async function keepUsedQuota(sql: Sql, jobId: string): Promise<KeptBecause | null> {
  const { rows } = await sql.query<{ reason: KeptBecause }>(
    `UPDATE quota_entries q SET kept_because = used.reason
     FROM (
       SELECT CASE WHEN EXISTS (SELECT FROM job_summaries WHERE job_id = $1) THEN 'summary_delivered'
         WHEN EXISTS (SELECT FROM job_spendings WHERE job_id = $1) THEN 'model_paid' END AS reason
     ) used
     WHERE q.job_id = $1 AND q.kind = 'reserve' AND used.reason IS NOT NULL
     RETURNING kept_because AS reason`,
    [jobId],
  )
  return rows[0]?.reason ?? null
}

/**
 * Records the cost of a job that has just failed, for its summaries and other spending, once, and appends it to the usage of
 * its account.
 */
export async function recordUsage(sql: Sql, jobId: string): Promise<void> {
  await sql.query(
    `WITH entry AS (
       INSERT INTO usage_entries (job_id, user_id, api_key_id, outcome, input_tokens, output_tokens,
         cached_input_tokens, cost_usd, created_at)
       SELECT j.id, j.user_id, j.api_key_id, j.status::text, spent.input, spent.output, spent.cached, spent.cost,
         j.completed_at
       FROM jobs j CROSS JOIN LATERAL (
         SELECT coalesce(sum(s.input_tokens + s.cache_write_tokens), 0)::int AS input,
           coalesce(sum(s.output_tokens), 0)::int AS output, coalesce(sum(s.cached_tokens), 0)::int AS cached,
           coalesce(sum(s.cost_usd), 0) AS cost
         FROM (
           SELECT s.input_tokens, s.cache_write_tokens, s.output_tokens, s.cached_tokens, s.cost_usd
           FROM job_summaries own JOIN summaries s ON s.id = own.summary_id
           WHERE own.job_id = j.id AND NOT own.reused
           UNION ALL
           SELECT input_tokens, cache_write_tokens, output_tokens, cached_tokens, cost_usd
           FROM job_spendings WHERE job_id = j.id
         ) s
       ) spent
       WHERE j.id = $1
       RETURNING *
     )${APPEND_USAGE}`,
    [jobId],
  )
}

/** The cost of an answer in a chat. */
export interface ChatUsage {
  /** Null for an answer about many videos. */
  jobId: string | null
  conversationId: string
  messageId: string
  userId: string
  /** Null for answers requested without a key. */
  apiKeyId: string | null
  model: string
  outcome: 'completed' | 'failed'
  usage: SummaryUsage
  /** When the answer ended. */
  endedAt: Date
}

/** The job of costs that belong to none. Nothing else deletes them, so they expire like those of deleted jobs. */
export const NO_JOB = '00000000-0000-0000-0000-000000000000'

const RECORD = `WITH entry AS (
  INSERT INTO usage_entries (job_id, subject_kind, subject_id, conversation_id, user_id, api_key_id, model, outcome,
    input_tokens, output_tokens, cached_input_tokens, cost_usd, created_at, job_deleted_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, CASE WHEN $1 = '${NO_JOB}'::uuid THEN $13::timestamptz END)
  ON CONFLICT DO NOTHING
  RETURNING *
)${APPEND_USAGE}`

interface SubjectUsage
  extends Pick<ChatUsage, 'jobId' | 'userId' | 'apiKeyId' | 'model' | 'outcome' | 'usage' | 'endedAt'> {
  kind: 'chat_message' | 'digest'
  id: string
  conversationId: string | null
}

const record = (sql: Sql, { usage, ...spent }: SubjectUsage): Promise<unknown> =>
  sql.query(RECORD, [
    spent.jobId ?? NO_JOB,
    spent.kind,
    spent.id,
    spent.conversationId,
    spent.userId,
    spent.apiKeyId,
    spent.model,
    spent.outcome,
    usage.inputTokens + usage.cacheWriteTokens,
    usage.outputTokens,
    usage.cachedInputTokens,
    usage.costUsd,
    spent.endedAt,
  ])

/** Records the cost of an answer, once, and appends it to the usage of its account: a repeated call changes nothing. */
export async function recordChatUsage(sql: Sql, { messageId, ...chat }: ChatUsage): Promise<void> {
  await record(sql, { ...chat, kind: 'chat_message', id: messageId })
}

/** The cost of a digest. */
export type DigestUsage = Omit<ChatUsage, 'jobId' | 'conversationId' | 'messageId'> & { digestId: string }

/** Records the cost of a digest, once, like that of an answer. */
export async function recordDigestUsage(sql: Sql, { digestId, ...digest }: DigestUsage): Promise<void> {
  await record(sql, { ...digest, kind: 'digest', id: digestId, jobId: null, conversationId: null })
}
