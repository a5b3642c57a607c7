import type { BatchStatus, JobStatus } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { HIGHEST_ID, LOWEST_ID } from './id-bounds.ts'
import type { StoredError } from './jobs.ts'

export interface Batch {
  id: string
  userId: string
  status: BatchStatus
  total: number
  /** Jobs that have not ended; of these `processing` are being worked on. */
  pending: number
  processing: number
  succeeded: number
  failed: number
  /** Per cent, the mean of its jobs; ended ones count in full. */
  progress: number
  webhookUrl: string | null
  serviceName: string | null
  agentName: string | null
  clientReference: string | null
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

/** A job as its batch shows it. */
export interface BatchJob {
  id: string
  /** Place in the batch, from 0. */
  index: number
  videoId: string
  status: JobStatus
  progress: number
  error: StoredError | null
}

// What the unfinished jobs of an unfinished batch add to the counters; ended batches cost nothing here.
const UNFINISHED = `LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE j.status = 'processing')::int AS processing, min(j.started_at) AS started_at,
      coalesce(sum(j.progress) FILTER (WHERE j.status IN ('queued', 'processing')), 0)::int AS progress
    FROM jobs j WHERE b.pending > 0 AND j.batch_id = b.id
  ) u ON true`
const BATCH_COLUMNS = `b.id, b.user_id AS "userId", b.status, b.total, b.pending, u.processing, b.succeeded, b.failed,
  (100 * (b.total - b.pending) + u.progress) / b.total AS progress, b.webhook_url AS "webhookUrl",
  b.service_name AS "serviceName", b.agent_name AS "agentName", b.client_reference AS "clientReference",
  b.created_at AS "createdAt", coalesce(b.started_at, u.started_at) AS "startedAt", b.completed_at AS "completedAt"`

interface BatchJobRow {
  jobId: string
  index: number
  videoId: string
  jobStatus: JobStatus
  jobProgress: number
  jobError: StoredError | null
}
const JOB_COLUMNS = `j.id AS "jobId", j.batch_index AS index, j.video_id AS "videoId", j.status AS "jobStatus",
  j.progress AS "jobProgress", j.error AS "jobError"`

const toJob = (row: BatchJobRow): BatchJob => ({
  id: row.jobId,
  index: row.index,
  videoId: row.videoId,
  status: row.jobStatus,
  progress: row.jobProgress,
  error: row.jobError,
})

const FIND = `SELECT ${BATCH_COLUMNS}, ${JOB_COLUMNS}
  FROM batches b ${UNFINISHED} JOIN jobs j ON j.batch_id = b.id
  WHERE b.id = $1 AND b.user_id = $2 ORDER BY j.batch_index`

/** A batch of this user and its jobs in their order, all at the same moment; null when there is none. */
export async function findBatch(
  sql: Sql,
  userId: string,
  batchId: string,
): Promise<{ batch: Batch; jobs: BatchJob[] } | null> {
  const { rows } = await sql.query<Batch & BatchJobRow>(FIND, [batchId, userId])
  const [first] = rows
  if (!first) return null
  const { jobId, index, videoId, jobStatus, jobProgress, jobError, ...batch } = first
  return { batch, jobs: rows.map(toJob) }
}

export interface BatchPlace {
  /** Null: batches of every status. */
  status: BatchStatus | null
  /** Only batches older than this one; null: from the newest. */
  before: string | null
  /** Batches to pass over from there. */
  skip: number
  limit: number
}

export interface BatchPage {
  batches: Batch[]
  /** All batches of this user and status, at the same moment. */
  total: number
}

// Bounds are rows, and all their columns are ordered by, since then one index alone fits. What is passed over is read from
// the index; only the rows of the page come from the table.
function textsOf(hasStatus: boolean): { page: string; total: string } {
  const columns = hasStatus ? 'status, id' : 'user_id, id'
  const bound = (id: string): string => `(${hasStatus ? '$2::batch_status' : '$1::uuid'}, ${id})`
  // A parameter that a text does not name would have no type.
  const own = `${hasStatus ? 'user_id = $1 AND ' : '$2::text IS NULL AND '}(${columns}) >= ${bound(`'${LOWEST_ID}'::uuid`)}`
  const total = `SELECT count(*)::int FROM batches WHERE ${own} AND (${columns}) <= ${bound(`'${HIGHEST_ID}'::uuid`)}`
  const page = `SELECT ${BATCH_COLUMNS}, (${total}) AS "listTotal"
    FROM (SELECT id FROM batches WHERE ${own} AND (${columns}) < ${bound('$3::uuid')}
      ORDER BY ${columns.replaceAll(',', ' DESC,')} DESC OFFSET $4 LIMIT $5) chosen
    JOIN batches b ON b.id = chosen.id ${UNFINISHED} ORDER BY b.id DESC`
  return { page, total }
}

const EVERY_STATUS = textsOf(false)
const ONE_STATUS = textsOf(true)

/** A page of a user's batches, newest first. */
export async function listBatches(
  sql: Sql,
  userId: string,
  { status, before, skip, limit }: BatchPlace,
): Promise<BatchPage> {
  const texts = status === null ? EVERY_STATUS : ONE_STATUS
  const { rows } = await sql.query<Batch & { listTotal: number }>(texts.page, [
    ...[userId, status],
    ...[before ?? HIGHEST_ID, skip, limit],
  ])
  const [first] = rows
  if (first) return { batches: rows.map(({ listTotal: _, ...batch }) => batch), total: first.listTotal }
  const counted = await sql.query<{ count: number }>(texts.total, [userId, status])
  return { batches: [], total: counted.rows[0]?.count ?? 0 }
}

/** What is left of a batch after one of its jobs has ended. */
export type BatchCounts = Pick<Batch, 'id' | 'userId' | 'total' | 'pending' | 'succeeded' | 'failed' | 'webhookUrl'>

/**
 * Counts a job that has just ended, in the transaction that ended it; null when its batch is gone. All jobs of a batch
 * want this row: the statement belongs at the end of the transaction, after every other lock.
 */
export async function countBatchEnd(sql: Sql, batchId: string, succeeded: boolean): Promise<BatchCounts | null> {
  const { rows } = await sql.query<BatchCounts>(
    `UPDATE batches SET pending = pending - 1, succeeded = succeeded + $2::int, failed = failed + 1 - $2::int
     WHERE id = $1 AND pending > 0
     RETURNING id, user_id AS "userId", total, pending, succeeded, failed, webhook_url AS "webhookUrl"`,
    [batchId, succeeded ? 1 : 0],
  )
  return rows[0] ?? null
}

/** The jobs of a batch in their order, for the transaction that ends it. */
export async function listBatchJobs(sql: Sql, batchId: string): Promise<BatchJob[]> {
  const { rows } = await sql.query<BatchJobRow>(
    `SELECT ${JOB_COLUMNS} FROM jobs j WHERE j.batch_id = $1 ORDER BY j.batch_index`,
    [batchId],
  )
  return rows.map(toJob)
}

/** Ends a batch of which no job is left, in the transaction that ended the last one; returns when that was. */
export async function endBatch(
  sql: Sql,
  batchId: string,
  status: Exclude<BatchStatus, 'processing'>,
): Promise<Date | null> {
  const { rows } = await sql.query<{ completedAt: Date }>(
    `UPDATE batches b SET status = $2, started_at = j.began, completed_at = j.ended
     FROM (SELECT min(started_at) AS began, max(completed_at) AS ended FROM jobs WHERE batch_id = $1) j
     WHERE b.id = $1 AND b.status = 'processing' AND b.pending = 0
     RETURNING b.completed_at AS "completedAt"`,
    [batchId, status],
  )
  return rows[0]?.completedAt ?? null
}
