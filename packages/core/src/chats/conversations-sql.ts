import type { LibraryScope, SummaryUsage, Warning } from '@subtext/contracts'
import { type Db, HIGHEST_ID, type PageRequest, type Sql } from '@subtext/db'

/** A segment that supports a part of an answer, with what is said there. */
export interface StoredCitation {
  segmentId: number
  startMs: number
  text: string
  /** The video, in answers about many. */
  video?: CitedVideo
}

export interface CitedVideo {
  jobId: string
  videoId: string
  title: string
  /** Where the recording is: the ID of a video, or an address. */
  place: string
}

export interface StoredAnswer {
  kind: 'answer' | 'not_in_video' | 'passages'
  parts: { text: string; citations: StoredCitation[] }[]
  /** BCP-47. */
  language: string
  /** ID of the model that wrote it, or `extractive`. */
  model: string
  warnings: Warning[]
}

/** A question and its answer. Those that were discarded are never returned. */
export interface ChatExchange {
  id: string
  conversationId: string
  position: number
  question: string
  status: 'pending' | 'complete' | 'failed'
  /** Null until it is complete. */
  answer: StoredAnswer | null
  usage: SummaryUsage
  createdAt: Date
  completedAt: Date | null
}

export interface ChatConversation {
  id: string
  title: string
  /** Number of questions, each with its answer. */
  exchanges: number
  createdAt: Date
  updatedAt: Date
  /** Null for a conversation about a single video. */
  scope: LibraryScope | null
}

type ExchangeRow = Omit<ChatExchange, 'usage'> & SummaryUsage

const EXCHANGE_COLUMNS = `e.id, e.conversation_id AS "conversationId", e.position, e.question, e.status, e.answer,
  e.input_tokens AS "inputTokens", e.output_tokens AS "outputTokens", e.cached_tokens AS "cachedInputTokens",
  e.cache_write_tokens AS "cacheWriteTokens", e.cost_usd::float8 AS "costUsd", e.created_at AS "createdAt",
  e.completed_at AS "completedAt"`

function toExchange(row: ExchangeRow): ChatExchange {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, costUsd, ...exchange } = row
  return { ...exchange, usage: { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, costUsd } }
}

/** Identifies a conversation of an account. */
export interface ConversationAddress {
  userId: string
  /** Null for a conversation about many videos. */
  jobId: string | null
  conversationId: string
}

// While an answer is being written that will replace another one, only the new one is shown.
const SHOWN = `e.status <> 'discarded'
  AND NOT EXISTS (SELECT FROM chat_exchanges r WHERE r.conversation_id = e.conversation_id AND r.replaces = e.id
    AND r.status = 'pending')`

const CONVERSATION_COLUMNS = `c.id, c.title, c.scope, c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  (SELECT count(*)::int FROM chat_exchanges e WHERE e.conversation_id = c.id AND ${SHOWN}) AS exchanges`
const OWN = 'c.id = $1 AND c.job_id IS NOT DISTINCT FROM $2 AND c.user_id = $3'
const ownValues = ({ conversationId, jobId, userId }: ConversationAddress) => [conversationId, jobId, userId]

export async function findConversation(sql: Sql, address: ConversationAddress): Promise<ChatConversation | null> {
  const { rows } = await sql.query<ChatConversation>(
    `SELECT ${CONVERSATION_COLUMNS} FROM chat_conversations c WHERE ${OWN}`,
    ownValues(address),
  )
  return rows[0] ?? null
}

/** Lists the exchanges of a conversation, oldest first. The caller must have checked the owner. */
export async function listExchanges(sql: Sql, conversationId: string): Promise<ChatExchange[]> {
  const { rows } = await sql.query<ExchangeRow>(
    `SELECT ${EXCHANGE_COLUMNS} FROM chat_exchanges e
     WHERE e.conversation_id = $1 AND ${SHOWN} ORDER BY e.position, e.id`,
    [conversationId],
  )
  return rows.map(toExchange)
}

/** Finds an exchange of this account, even if it was discarded, with the job that it is about. */
export async function findExchange(
  sql: Sql,
  userId: string,
  id: string,
): Promise<{ exchange: ChatExchange; jobId: string | null } | null> {
  const { rows } = await sql.query<ExchangeRow & { jobId: string | null }>(
    `SELECT ${EXCHANGE_COLUMNS}, c.job_id AS "jobId"
     FROM chat_exchanges e JOIN chat_conversations c ON c.id = e.conversation_id WHERE e.id = $1 AND e.user_id = $2`,
    [id, userId],
  )
  const [row] = rows
  if (!row) return null
  const { jobId, ...exchange } = row
  return { exchange: toExchange(exchange), jobId }
}

// Each has an index of its own.
const ABOUT_JOB = 'c.job_id = $1 AND c.user_id = $2'
const ABOUT_LIBRARY = 'c.job_id IS NULL AND $1::uuid IS NULL AND c.user_id = $2'

/** Lists a page of the conversations of this account about a job or, if that is null, about many videos, newest first. */
export async function listConversations(
  sql: Sql,
  { userId, jobId }: { userId: string; jobId: string | null },
  { before, skip, limit }: PageRequest,
): Promise<{ conversations: ChatConversation[]; total: number }> {
  const about = jobId === null ? ABOUT_LIBRARY : ABOUT_JOB
  const [page, counted] = await Promise.all([
    sql.query<ChatConversation>(
      `SELECT ${CONVERSATION_COLUMNS} FROM chat_conversations c
       WHERE ${about} AND c.id < $3 ORDER BY c.id DESC OFFSET $4 LIMIT $5`,
      [jobId, userId, before ?? HIGHEST_ID, skip, limit],
    ),
    sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM chat_conversations c WHERE ${about}`, [
      jobId,
      userId,
    ]),
  ])
  return { conversations: page.rows, total: counted.rows[0]?.total ?? 0 }
}

/**
 * Deletes a conversation. Returns `busy` if an answer is being written, in which case the conversation is kept, and `gone` if
 * there is no such conversation.
 */
export async function deleteConversation(db: Db, address: ConversationAddress): Promise<'deleted' | 'busy' | 'gone'> {
  return db.transaction(async (sql) => {
    if (!(await lockConversation(sql, address))) return 'gone'
    if (await hasPending(sql, address.conversationId)) return 'busy'
    await sql.query('DELETE FROM chat_conversations WHERE id = $1', [address.conversationId])
    return 'deleted'
  })
}

/**
 * Locks a conversation of this account until the transaction ends. Returns false if there is none. Lock it before its
 * exchanges.
 */
export async function lockConversation(sql: Sql, address: ConversationAddress): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT FROM chat_conversations c WHERE ${OWN} FOR NO KEY UPDATE`,
    ownValues(address),
  )
  return rowCount === 1
}

/** Returns whether an answer is being written. An answer whose process has died does not count. */
async function hasPending(sql: Sql, conversationId: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT FROM chat_exchanges WHERE conversation_id = $1 AND status = 'pending' AND lease_until > now()`,
    [conversationId],
  )
  return rowCount > 0
}
