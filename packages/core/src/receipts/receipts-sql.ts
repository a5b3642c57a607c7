import type { ErrorCode, JobStatus, SpendingPurpose, SummaryMode } from '@subtext/contracts'
import { HIGHEST_ID, type Sql } from '@subtext/db'
import { type KeptBecause, NO_JOB, type UsageOwner } from '../usage/index.ts'

/** A summary of a job, and what was paid for it. */
export interface BilledSummary {
  at: Date
  mode: SummaryMode
  model: string
  tokens: number
  costUsd: number
  /** Whether an earlier job of the account paid for it. */
  reused: boolean
}

/** What a job paid for besides its summaries. */
export interface BilledSpending {
  at: Date
  purpose: SpendingPurpose
  /** Null if it served several modes. */
  mode: SummaryMode | null
  model: string
  tokens: number
  costUsd: number
}

export interface BilledQuota {
  at: Date
  kind: 'reserve' | 'release'
  keptBecause: KeptBecause | null
}

/** A job with everything that was charged for it. */
export interface BilledJob {
  id: string
  videoId: string
  batchId: string | null
  batchIndex: number | null
  derivedFrom: string | null
  clientReference: string | null
  status: JobStatus
  errorCode: ErrorCode | null
  /** The modes that were requested. */
  modes: SummaryMode[]
  /** Null if requests were not counted. */
  platformRequests: number | null
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  quota: BilledQuota[]
  summaries: BilledSummary[]
  spendings: BilledSpending[]
}

const TOKENS = 'input_tokens + cache_write_tokens + output_tokens + cached_tokens'

/** Collects rows as JSON, in which times are milliseconds. */
const collect = (fields: Record<string, string>, from: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object(${Object.entries(fields)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ')})), '[]') FROM ${from})`
const at = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`

const PAID = { model: 'model', tokens: TOKENS, costUsd: 'cost_usd::float8' }
const QUOTA = collect(
  { at: at('created_at'), kind: 'kind', keptBecause: 'kept_because' },
  'quota_entries WHERE job_id = j.id',
)
const SUMMARIES = collect(
  { at: at('own.created_at'), mode: 's.mode', reused: 'own.reused', ...PAID },
  'job_summaries own JOIN summaries s ON s.id = own.summary_id WHERE own.job_id = j.id',
)
const SPENDINGS = collect(
  { at: at('created_at'), purpose: 'purpose', mode: 'mode', ...PAID },
  'job_spendings WHERE job_id = j.id',
)

const SELECT_BILLED = `SELECT id, video_id AS "videoId", batch_id AS "batchId", batch_index AS "batchIndex",
  derived_from AS "derivedFrom", client_reference AS "clientReference", status, error->>'code' AS "errorCode",
  options->'summary_modes' AS modes, platform_requests AS "platformRequests", created_at AS "createdAt",
  started_at AS "startedAt", completed_at AS "completedAt", ${QUOTA} AS quota, ${SUMMARIES} AS summaries,
  ${SPENDINGS} AS spendings FROM jobs j`

type Stored<T extends { at: Date }> = Omit<T, 'at'> & { at: number }
type BilledRow = Omit<BilledJob, 'quota' | 'summaries' | 'spendings'> & {
  quota: Stored<BilledQuota>[]
  summaries: Stored<BilledSummary>[]
  spendings: Stored<BilledSpending>[]
}

const dated = <T extends { at: number }>(rows: T[]) => rows.map((row) => ({ ...row, at: new Date(row.at) }))

const fromRow = ({ quota, summaries, spendings, ...job }: BilledRow): BilledJob => ({
  ...job,
  quota: dated(quota),
  summaries: dated(summaries),
  spendings: dated(spendings),
})

// Each statement sees a job and everything that belongs to it at the same moment.

/** Finds jobs of this user with their charges, in no particular order. Deleted ones are missing. */
export async function findBilledJobs(sql: Sql, userId: string, jobIds: string[]): Promise<BilledJob[]> {
  const { rows } = await sql.query<BilledRow>(`${SELECT_BILLED} WHERE id = ANY ($1::uuid[]) AND user_id = $2`, [
    jobIds,
    userId,
  ])
  return rows.map(fromRow)
}

/** Lists the jobs of a batch of this user with their charges, in order. */
export async function listBilledBatch(sql: Sql, userId: string, batchId: string): Promise<BilledJob[]> {
  const { rows } = await sql.query<BilledRow>(
    `${SELECT_BILLED} WHERE batch_id = $1 AND user_id = $2 ORDER BY batch_index`,
    [batchId, userId],
  )
  return rows.map(fromRow)
}

/** The cost of a job that has ended, of an answer in a chat, or of a digest. Only jobs and answers about them have a job. */
export interface UsageEntry {
  jobId: string
  /** The answer; null for the job itself. */
  messageId: string | null
  digestId: string | null
  conversationId: string | null
  /** The model of the answer; null for a job. */
  model: string | null
  outcome: 'completed' | 'failed'
  tokens: number
  costUsd: number
  at: Date
}

const ENTRY_COLUMNS = `job_id AS "jobId", CASE WHEN subject_kind = 'chat_message' THEN subject_id END AS "messageId",
  CASE WHEN subject_kind = 'digest' THEN subject_id END AS "digestId",
  conversation_id AS "conversationId", model, outcome, input_tokens + output_tokens + cached_input_tokens AS tokens,
  cost_usd::float8 AS "costUsd", created_at AS at`

/** What is left of the receipt of a deleted job. */
export interface DeletedCosts extends UsageEntry {
  quota: BilledQuota[]
}

const SELECT_DELETED = `SELECT ${ENTRY_COLUMNS}, ${QUOTA.replace('j.id', 'u.job_id')} AS quota FROM usage_entries u
  WHERE subject_kind = 'job' AND job_deleted_at IS NOT NULL AND user_id = $1`

type DeletedRow = Omit<DeletedCosts, 'quota'> & { quota: Stored<BilledQuota>[] }
const fromDeletedRow = ({ quota, ...costs }: DeletedRow): DeletedCosts => ({ ...costs, quota: dated(quota) })

/** Finds what jobs that this user has deleted had cost, in no particular order. */
export async function findDeletedCosts(sql: Sql, userId: string, jobIds: string[]): Promise<DeletedCosts[]> {
  const { rows } = await sql.query<DeletedRow>(`${SELECT_DELETED} AND job_id = ANY ($2::uuid[])`, [userId, jobIds])
  return rows.map(fromDeletedRow)
}

/** Lists what the deleted jobs of a batch of this user had cost. */
export async function listDeletedOfBatch(sql: Sql, userId: string, batchId: string): Promise<DeletedCosts[]> {
  const { rows } = await sql.query<DeletedRow>(`${SELECT_DELETED} AND batch_id = $2 ORDER BY created_at, job_id`, [
    userId,
    batchId,
  ])
  return rows.map(fromDeletedRow)
}

/** Lists what digests of a batch of this user have cost, oldest first. */
export async function listDigestsOfBatch(sql: Sql, userId: string, batchId: string): Promise<UsageEntry[]> {
  const { rows } = await sql.query<UsageEntry>(
    `SELECT ${ENTRY_COLUMNS} FROM usage_entries
     WHERE job_id = '${NO_JOB}' AND subject_kind = 'digest' AND user_id = $1
       AND subject_id = ANY (ARRAY(SELECT id FROM digests WHERE batch_id = $2)) ORDER BY created_at, subject_id`,
    [userId, batchId],
  )
  return rows
}

/** Whether a digest of a batch has yet to end. */
export async function hasUnfinishedDigest(sql: Sql, batchId: string): Promise<boolean> {
  const { rowCount } = await sql.query('SELECT FROM digests WHERE batch_id = $1 AND completed_at IS NULL LIMIT 1', [
    batchId,
  ])
  return rowCount > 0
}

/** Lists the costs of the answers in a conversation, oldest first. */
export async function listConversationUsage(
  sql: Sql,
  { userId, jobId, conversationId }: { userId: string; jobId: string; conversationId: string },
): Promise<UsageEntry[]> {
  const { rows } = await sql.query<UsageEntry>(
    `SELECT ${ENTRY_COLUMNS} FROM usage_entries
     WHERE job_id = $1 AND subject_kind = 'chat_message' AND conversation_id = $2 AND user_id = $3
     ORDER BY created_at, subject_id`,
    [jobId, conversationId, userId],
  )
  return rows
}

/** The place of an entry in the order of `listUsageEntries`. */
export interface UsagePlace {
  at: Date
  jobId: string
  messageId: string | null
}

export interface UsageEntryRange {
  /** Null for the beginning. */
  start: Date | null
  /** Exclusive. Null for now. */
  end: Date | null
  /** Only entries after this one; null for all. */
  after: UsagePlace | null
  limit: number
}

const NO_SUBJECT = '00000000-0000-0000-0000-000000000000'
const END_OF_TIME = new Date('9999-12-31T23:59:59.999Z')

/** Reads a page of the entries that meet a condition about their key, in the order of an index. */
const pageOf = (condition: string): string => `SELECT ${ENTRY_COLUMNS}, subject_id FROM usage_entries
   WHERE user_id = $1 AND ${condition} AND created_at >= $3 AND created_at < $4
     AND created_at <= $5 AND (created_at, job_id, subject_id) < ($5, $6::uuid, $7::uuid)
   ORDER BY created_at DESC, job_id DESC, subject_id DESC LIMIT $8`
const PAGE_OF_KEY = pageOf('api_key_id = $2')
// The pages of all keys, and of usage without a key, contain the page of the account.
const PAGE_OF_ACCOUNT = `
  SELECT page.* FROM api_keys CROSS JOIN LATERAL (${pageOf('api_key_id = api_keys.id')}) page WHERE api_keys.user_id = $1
  UNION ALL (${pageOf('api_key_id IS NULL AND $2::uuid IS NULL')})
  ORDER BY at DESC, "jobId" DESC, subject_id DESC LIMIT $8`

/** Lists the costs of jobs and answers that ended within a range, of a key or of the whole account, newest first. */
export async function listUsageEntries(
  sql: Sql,
  owner: UsageOwner,
  { start, end, after, limit }: UsageEntryRange,
): Promise<UsageEntry[]> {
  const place = after ?? { at: END_OF_TIME, jobId: HIGHEST_ID, messageId: HIGHEST_ID }
  const { rows } = await sql.query<UsageEntry & { subject_id: string }>(
    owner.apiKeyId === null ? PAGE_OF_ACCOUNT : PAGE_OF_KEY,
    [
      owner.userId,
      owner.apiKeyId,
      start ?? new Date(0),
      end ?? END_OF_TIME,
      place.at,
      place.jobId,
      place.messageId ?? NO_SUBJECT,
      limit,
    ],
  )
  return rows.map(({ subject_id: _, ...entry }) => entry)
}
