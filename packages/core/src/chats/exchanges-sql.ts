import type { LibraryScope, SummaryUsage } from '@subtext/contracts'
import type { Db, Sql } from '@subtext/db'
import {
  type ChatExchange,
  type ConversationAddress,
  findExchange,
  listExchanges,
  lockConversation,
  type StoredAnswer,
} from './conversations-sql.ts'

export interface NewExchange extends ConversationAddress {
  /** Reserved for this question, so that a repeated call asks it once. */
  id: string
  /** The title of the conversation to create. Null if the conversation exists. */
  title: string | null
  /** Of the conversation to create, if it is about many videos. */
  scope?: LibraryScope | undefined
  apiKeyId: string | null
  question: string
  /** Whether it replaces the last exchange when it is answered. */
  regenerate: boolean
  leaseToken: string
  leaseSeconds: number
  /** Null for no limit. */
  quota: { day: string; limit: number } | null
  /** Maximum number of exchanges in a conversation. */
  maxExchanges: number
  /** Called before anything is stored, unless the question exists. What it throws is thrown, and nothing is stored. */
  admit?: () => void
  now: Date
}

/**
 * `opened`: the question and its pending answer are stored; `earlier` are the answered ones before it. `exists`: an earlier
 * call has stored them. `busy`: another answer is being written. `full`: no more fit. `empty`: there is nothing to
 * regenerate. `exhausted`: the quota of the day is used up. `gone`: there is no such conversation, or its job was deleted.
 */
export type OpenOutcome =
  | { outcome: 'opened'; earlier: ChatExchange[] }
  | { outcome: 'exists'; exchange: ChatExchange }
  | { outcome: 'busy' | 'full' | 'empty' | 'exhausted' | 'gone' }

// Conflicts with the lock of the purge: the job exists until the question is visible, and from then on until it is answered.
const LOCK_JOB = `SELECT FROM jobs WHERE id = $1 AND user_id = $2 AND status = 'completed' FOR KEY SHARE`

const COUNT_QUESTION = `
INSERT INTO quota_usage AS q (user_id, period, starts_on, used) VALUES ($1, 'chat_day', $2, 1)
ON CONFLICT (user_id, period, starts_on) DO UPDATE SET used = q.used + 1 WHERE q.used < $3`

const INSERT_CONVERSATION = `
INSERT INTO chat_conversations (id, job_id, user_id, title, created_at, updated_at, scope)
VALUES ($1, $2, $3, $4, $5, $5, $6::jsonb)`

// A question that has failed can be asked again under its ID.
const INSERT_EXCHANGE = `
INSERT INTO chat_exchanges (id, conversation_id, user_id, api_key_id, position, replaces, question, quota_day, lease_token,
  lease_until, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11)
ON CONFLICT (id) DO UPDATE SET status = 'pending', position = excluded.position, replaces = excluded.replaces,
  api_key_id = excluded.api_key_id, quota_day = excluded.quota_day, lease_token = excluded.lease_token,
  lease_until = excluded.lease_until, completed_at = NULL
WHERE chat_exchanges.conversation_id = excluded.conversation_id AND chat_exchanges.status IN ('failed', 'discarded')`

/** Thrown to end the transaction without an effect. */
class Refusal extends Error {
  readonly outcome: Exclude<OpenOutcome['outcome'], 'opened' | 'exists'>

  constructor(outcome: Refusal['outcome']) {
    super(outcome)
    this.outcome = outcome
  }
}

/** Stores a question and its pending answer, in an existing or a new conversation, and counts it toward the quota. */
export async function openExchange(db: Db, exchange: NewExchange): Promise<OpenOutcome> {
  try {
    return await db.transaction((sql) => open(sql, exchange))
  } catch (error) {
    if (error instanceof Refusal) return { outcome: error.outcome }
    throw error
  }
}

async function open(sql: Sql, exchange: NewExchange): Promise<OpenOutcome> {
  const { id, conversationId, userId, jobId, title, quota, now } = exchange
  const isNew = title !== null
  // In the order in which a purge takes these locks.
  const isThere = (await lockJob(sql, exchange)) && (isNew || (await lockConversation(sql, exchange)))
  if (!isThere) throw new Refusal('gone')
  const stored = (await findExchange(sql, userId, id))?.exchange
  if (stored?.status === 'complete') return { outcome: 'exists', exchange: stored }
  if (!isNew) await failExpired(sql, conversationId)
  const shown = isNew ? [] : await listExchanges(sql, conversationId)
  const pending = shown.find(({ status }) => status === 'pending')
  if (pending?.id === id) return { outcome: 'exists', exchange: pending }
  if (pending) throw new Refusal('busy')
  // A question that is repeated comes last.
  const others = shown.filter((other) => other.id !== id)
  const { position, replaces, earlier } = place(exchange, others)
  exchange.admit?.()
  if (quota && (await sql.query(COUNT_QUESTION, [userId, quota.day, quota.limit])).rowCount === 0) {
    throw new Refusal('exhausted')
  }
  const scope = exchange.scope ? JSON.stringify(exchange.scope) : null
  if (isNew) await sql.query(INSERT_CONVERSATION, [conversationId, jobId, userId, title, now, scope])
  else await sql.query('UPDATE chat_conversations SET updated_at = $2 WHERE id = $1', [conversationId, now])
  const { rowCount } = await sql.query(INSERT_EXCHANGE, [
    ...[id, conversationId, userId, exchange.apiKeyId, position, replaces, exchange.question, quota?.day ?? null],
    ...[exchange.leaseToken, exchange.leaseSeconds, now],
  ])
  // A slower call has stored it in the meantime.
  if (rowCount === 0) throw new Refusal('busy')
  return { outcome: 'opened', earlier: earlier.filter(({ status }) => status === 'complete') }
}

async function lockJob(sql: Sql, { jobId, userId }: NewExchange): Promise<boolean> {
  if (jobId === null) return true
  return (await sql.query(LOCK_JOB, [jobId, userId])).rowCount === 1
}

/** Returns the position of a new exchange, after the others of its conversation. */
function place({ regenerate, maxExchanges }: NewExchange, others: ChatExchange[]) {
  const last = others.at(-1)
  if (regenerate) {
    if (!last) throw new Refusal('empty')
    return { position: last.position, replaces: last.id, earlier: others.slice(0, -1) }
  }
  if (others.length >= maxExchanges) throw new Refusal('full')
  return { position: last ? last.position + 1 : 0, replaces: null, earlier: others }
}

/** The right of one process to write an answer. */
export interface ExchangeLease {
  id: string
  token: string
}

/** Extends a lease. Returns false if it was lost or the conversation was deleted. */
export async function extendExchangeLease(sql: Sql, { id, token }: ExchangeLease, seconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE chat_exchanges SET lease_until = now() + make_interval(secs => $3)
     WHERE id = $1 AND lease_token = $2 AND status = 'pending'`,
    [id, token, seconds],
  )
  return rowCount === 1
}

/**
 * Stores an answer, once, and discards the exchange that it replaces. Returns null if the lease was lost. Call it in the
 * transaction that records its usage.
 */
export async function completeExchange(
  sql: Sql,
  { id, token }: ExchangeLease,
  { answer: written, usage, now }: { answer: StoredAnswer; usage: SummaryUsage; now: Date },
): Promise<ChatExchange | null> {
  // Locks in the same order as `openExchange`, so that the two cannot deadlock.
  await sql.query(
    `SELECT FROM chat_conversations WHERE id = (SELECT conversation_id FROM chat_exchanges WHERE id = $1) FOR NO KEY UPDATE`,
    [id],
  )
  const answer = await withoutDeleted(sql, written)
  const { rows } = await sql.query<{ replaces: string | null; userId: string; conversationId: string }>(
    `UPDATE chat_exchanges SET status = 'complete', answer = $3::jsonb, input_tokens = $4, output_tokens = $5,
       cached_tokens = $6, cache_write_tokens = $7, cost_usd = $8, lease_token = NULL, lease_until = NULL, completed_at = $9,
       cited_jobs = $10::uuid[]
     WHERE id = $1 AND lease_token = $2 AND status = 'pending'
     RETURNING replaces, user_id AS "userId", conversation_id AS "conversationId"`,
    [
      ...[id, token, JSON.stringify(answer), usage.inputTokens, usage.outputTokens, usage.cachedInputTokens],
      ...[usage.cacheWriteTokens, usage.costUsd, now, listCitedJobs(answer)],
    ],
  )
  const [row] = rows
  if (!row) return null
  await sql.query('UPDATE chat_conversations SET updated_at = $2 WHERE id = $1', [row.conversationId, now])
  if (row.replaces) await sql.query(`UPDATE chat_exchanges SET status = 'discarded' WHERE id = $1`, [row.replaces])
  return (await findExchange(sql, row.userId, id))?.exchange ?? null
}

const LOCK_CITED = 'SELECT id FROM jobs WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE'

/** Returns the answer without what it takes from jobs that were deleted meanwhile. Until it is visible, no further one is. */
async function withoutDeleted(sql: Sql, answer: StoredAnswer): Promise<StoredAnswer> {
  const cited = listCitedJobs(answer)
  if (!cited) return answer
  const { rows } = await sql.query<{ id: string }>(LOCK_CITED, [cited])
  const left = new Set(rows.map(({ id }) => id))
  if (left.size === cited.length) return answer
  return {
    ...answer,
    parts: answer.parts.filter(({ citations }) => citations.every(({ video }) => !video || left.has(video.jobId))),
  }
}

function listCitedJobs({ parts }: StoredAnswer): string[] | null {
  const ids = new Set(parts.flatMap(({ citations }) => citations.flatMap(({ video }) => video?.jobId ?? [])))
  return ids.size > 0 ? [...ids] : null
}

// A failed exchange costs nothing. A failed replacement leaves the original exchange in place.
const failWhere = (condition: string): string => `
WITH due AS MATERIALIZED (
  SELECT id FROM chat_exchanges WHERE status = 'pending' AND ${condition} FOR UPDATE SKIP LOCKED
), failed AS (
  UPDATE chat_exchanges SET status = CASE WHEN replaces IS NULL THEN 'failed' ELSE 'discarded' END, lease_token = NULL,
    lease_until = NULL, completed_at = now()
  WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING user_id, quota_day
), returned AS MATERIALIZED (
  SELECT user_id, quota_day, count(*)::int AS questions FROM failed WHERE quota_day IS NOT NULL GROUP BY 1, 2
), held AS MATERIALIZED (
  SELECT q.user_id, q.starts_on FROM quota_usage q JOIN returned r ON (q.user_id, q.starts_on) = (r.user_id, r.quota_day)
  WHERE q.period = 'chat_day' ORDER BY 1, 2 FOR UPDATE OF q
), counted AS (
  UPDATE quota_usage q SET used = q.used - r.questions FROM returned r
  WHERE (SELECT count(*) FROM held) >= 0 AND (q.user_id, q.period, q.starts_on) = (r.user_id, 'chat_day', r.quota_day)
)
SELECT count(*)::int AS failed FROM failed`

const FAIL_OWN = failWhere('id = $1 AND lease_token = $2')
const FAIL_IN_CONVERSATION = failWhere('conversation_id = $1 AND lease_until <= now()')
const FAIL_OF_JOB = failWhere('conversation_id = ANY (ARRAY(SELECT id FROM chat_conversations WHERE job_id = $1))')
const FAIL_ABANDONED = failWhere(`id IN (SELECT id FROM chat_exchanges WHERE status = 'pending' AND lease_until <= now()
  ORDER BY lease_until LIMIT $1)`)

/** Fails an exchange and returns its question to the quota. Returns false if the lease was lost. */
export async function failExchange(sql: Sql, { id, token }: ExchangeLease): Promise<boolean> {
  const { rows } = await sql.query<{ failed: number }>(FAIL_OWN, [id, token])
  return rows[0]?.failed === 1
}

const failExpired = (sql: Sql, conversationId: string): Promise<unknown> =>
  sql.query(FAIL_IN_CONVERSATION, [conversationId])

/** Fails the questions about a job that are being answered, in the transaction that deletes it. */
export async function failExchangesOfJob(sql: Sql, jobId: string): Promise<void> {
  await sql.query(FAIL_OF_JOB, [jobId])
}

/** Fails up to `limit` exchanges whose process has died, and returns how many. */
export async function failAbandonedExchanges(sql: Sql, limit: number): Promise<number> {
  const { rows } = await sql.query<{ failed: number }>(FAIL_ABANDONED, [limit])
  return rows[0]?.failed ?? 0
}
