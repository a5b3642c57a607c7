import type { Warning } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { IS_UNFINISHED, isHeldBy, JOB_COLUMNS, type Job, type Lease, type StoredError } from './job-row.ts'

export interface JobEnd {
  status: 'completed' | 'failed'
  error: StoredError | null
  warnings: Warning[]
  completedAt: Date
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number
}

/** The change that ends a job; the values of `endValues` are the parameters from `$3` on. */
export const END = `status = $3::job_status, step = $3::text, error = $4, warnings = $5::jsonb,
  progress = CASE WHEN $3::job_status = 'completed' THEN 100 ELSE progress END, lease_token = NULL, held = false,
  platform_requests = coalesce(platform_requests, 0) + $7, updated_at = $6, completed_at = $6`

export const endValues = ({ status, error, warnings, completedAt, platformRequests = 0 }: JobEnd): unknown[] => [
  status,
  error && JSON.stringify(error),
  JSON.stringify(warnings),
  completedAt,
  platformRequests,
]

/**
 * Ends a job, once. Returns null if the lease was lost. Call it in the transaction that writes everything that follows from it.
 */
export async function endJob(sql: Sql, lease: Lease, end: JobEnd): Promise<Job | null> {
  const { rows } = await sql.query<Job>(
    `UPDATE jobs SET ${END} WHERE id = $1 AND ${isHeldBy('$2')} RETURNING ${JOB_COLUMNS}`,
    [lease.jobId, lease.token, ...endValues(end)],
  )
  return rows[0] ?? null
}

/** Locks an unfinished job of this user until the transaction ends. Returns false if it has ended, or is not theirs. */
export async function lockOwnJob(sql: Sql, userId: string, jobId: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT FROM jobs WHERE id = $1 AND user_id = $2 AND ${IS_UNFINISHED} FOR NO KEY UPDATE`,
    [jobId, userId],
  )
  return rowCount === 1
}

/**
 * Ends a job on behalf of its owner, even while a worker processes it: without its lease, every later write of that worker is
 * refused. Returns null if it had already ended. Call it in the transaction that writes everything that follows from it.
 */
export async function endOwnJob(sql: Sql, userId: string, jobId: string, end: JobEnd): Promise<Job | null> {
  const { rows } = await sql.query<Job>(
    `UPDATE jobs SET ${END} WHERE id = $1 AND user_id = $2 AND ${IS_UNFINISHED} RETURNING ${JOB_COLUMNS}`,
    [jobId, userId, ...endValues(end)],
  )
  return rows[0] ?? null
}
