import type { BatchStatus, JobStatus, Warning } from '@subtext/contracts'
import { HIGHEST_ID, LOWEST_ID, type PageRequest, type Sql } from '@subtext/db'
import type { StoredError } from '../jobs/job-row.ts'

export interface StoredBatch {
  id: string
  userId: string
  status: BatchStatus
  total: number
  /** Jobs that have not ended. */
  pending: number
  /** The pending jobs that a worker has claimed. */
  processing: number
  succeeded: number
  failed: number
  /** Percent; the mean of its jobs, where ended ones count as 100. */
  progress: number
  webhookUrl: string | null
  serviceName: string | null
  agentName: string | null
  clientReference: string | null
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

/** A job as shown in its batch. */
export interface StoredBatchJob {
  id: string
  /** Position in the batch, from 0. */
  index: number
  videoId: string
  /** Null until the platform has named it. */
  videoTitle: string | null
  /** Where an imported recording is. Null for videos of the platform. */
  videoUrl: string | null
  status: JobStatus
  progress: number
  error: StoredError | null
  warnings: Warning[]
}

// Adds the unfinished jobs of an unfinished batch to its counters. Costs nothing for ended batches.
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
  videoTitle: string | null
  videoUrl: string | null
  jobStatus: JobStatus
  jobProgress: number
  jobError: StoredError | null
  jobWarnings: Warning[]
}
const JOB_COLUMNS = `j.id AS "jobId", j.batch_index AS index, j.video_id AS "videoId", j.video_title AS "videoTitle", j.video_url AS "videoUrl", j.status AS "jobStatus",
  j.progress AS "jobProgress", j.error AS "jobError", j.warnings AS "jobWarnings"`

const toJob = (row: BatchJobRow): StoredBatchJob => ({
  id: row.jobId,
  index: row.index,
  videoId: row.videoId,
  videoTitle: row.videoTitle,
  videoUrl: row.videoUrl,
  status: row.jobStatus,
  progress: row.jobProgress,
  error: row.jobError,
  warnings: row.jobWarnings,
})

const FIND = `SELECT ${BATCH_COLUMNS}, ${JOB_COLUMNS}
  FROM batches b ${UNFINISHED} LEFT JOIN jobs j ON j.batch_id = b.id
  WHERE b.id = $1 AND b.user_id = $2 ORDER BY j.batch_index`

/** Finds a batch of this user with those of its jobs that exist, in order, all as of the same moment. */
export async function findBatch(
  sql: Sql,
  userId: string,
  batchId: string,
): Promise<{ batch: StoredBatch; jobs: StoredBatchJob[] } | null> {
  const { rows } = await sql.query<StoredBatch & BatchJobRow>(FIND, [batchId, userId])
  const [first] = rows
  if (!first) return null
  const { jobId, index, videoId, videoTitle, videoUrl, jobStatus, jobProgress, jobError, jobWarnings, ...batch } = first
  // A batch whose jobs were all deleted has one row without a job.
  return { batch, jobs: jobId === null ? [] : rows.map(toJob) }
}

export interface BatchPageRequest extends PageRequest {
  /** Null for batches of any status. */
  status: BatchStatus | null
}

export interface BatchPage {
  batches: StoredBatch[]
  /** Number of all batches of this user and status, as of the same moment. */
  total: number
}

// The limits of a page are row values, and the order uses all of their columns, so that only one index fits. Skipped rows are
// read from the index; only the rows of the page are read from the table.
function pageStatements(hasStatus: boolean): { page: string; total: string } {
  const columns = hasStatus ? 'status, id' : 'user_id, id'
  const row = (id: string): string => `(${hasStatus ? '$2::batch_status' : '$1::uuid'}, ${id})`
  // A parameter that the text does not use would have no type.
  const own = `${hasStatus ? 'user_id = $1 AND ' : '$2::text IS NULL AND '}(${columns}) >= ${row(`'${LOWEST_ID}'::uuid`)}`
  const total = `SELECT count(*)::int FROM batches WHERE ${own} AND (${columns}) <= ${row(`'${HIGHEST_ID}'::uuid`)}`
  const page = `SELECT ${BATCH_COLUMNS}, (${total}) AS "listTotal"
    FROM (SELECT id FROM batches WHERE ${own} AND (${columns}) < ${row('$3::uuid')}
      ORDER BY ${columns.replaceAll(',', ' DESC,')} DESC OFFSET $4 LIMIT $5) chosen
    JOIN batches b ON b.id = chosen.id ${UNFINISHED} ORDER BY b.id DESC`
  return { page, total }
}

const ANY_STATUS = pageStatements(false)
const ONE_STATUS = pageStatements(true)

/** Lists a page of a user's batches, newest first. */
export async function listBatchRows(
  sql: Sql,
  userId: string,
  { status, before, skip, limit }: BatchPageRequest,
): Promise<BatchPage> {
  const statements = status === null ? ANY_STATUS : ONE_STATUS
  const { rows } = await sql.query<StoredBatch & { listTotal: number }>(statements.page, [
    userId,
    status,
    before ?? HIGHEST_ID,
    skip,
    limit,
  ])
  const [first] = rows
  if (first) return { batches: rows.map(({ listTotal: _, ...batch }) => batch), total: first.listTotal }
  const counted = await sql.query<{ count: number }>(statements.total, [userId, status])
  return { batches: [], total: counted.rows[0]?.count ?? 0 }
}

/** The counters of a batch after one of its jobs has ended. */
export type BatchCounts = Pick<
  StoredBatch,
  'id' | 'userId' | 'total' | 'pending' | 'succeeded' | 'failed' | 'webhookUrl'
>

/**
 * Counts a job that has just ended, in the transaction that ended it. Returns null if its batch was deleted. All jobs of a
 * batch compete for this row, so run it last in the transaction, after every other lock.
 */
export async function countEndedJob(sql: Sql, batchId: string, succeeded: boolean): Promise<BatchCounts | null> {
  const { rows } = await sql.query<BatchCounts>(
    `UPDATE batches SET pending = pending - 1, succeeded = succeeded + $2::int, failed = failed + 1 - $2::int
     WHERE id = $1 AND pending > 0
     RETURNING id, user_id AS "userId", total, pending, succeeded, failed, webhook_url AS "webhookUrl"`,
    [batchId, succeeded ? 1 : 0],
  )
  return rows[0] ?? null
}

/** Lists the jobs of a batch in order, for the transaction that ends it. */
export async function listBatchJobs(sql: Sql, batchId: string): Promise<StoredBatchJob[]> {
  const { rows } = await sql.query<BatchJobRow>(
    `SELECT ${JOB_COLUMNS} FROM jobs j WHERE j.batch_id = $1 ORDER BY j.batch_index`,
    [batchId],
  )
  return rows.map(toJob)
}

/** Ends a batch with no pending job left, in the transaction that ended the last one. Returns the time of its end. */
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
