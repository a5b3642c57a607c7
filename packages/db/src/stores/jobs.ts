import type {
  ErrorCode,
  ErrorDetails,
  JobStatus,
  JobStep,
  Lane,
  SummaryMode,
  VideoOptions,
  Warning,
} from '@subtext/contracts'
import type { Sql } from '../client.ts'

export interface StoredError {
  code: ErrorCode
  message: string
  retryable: boolean
  details?: ErrorDetails
}

/** What is asked for; it never changes. */
export interface JobRequest {
  id: string
  userId: string
  apiKeyId: string | null
  lane: Lane
  priority: Lane
  videoId: string
  options: VideoOptions
  customInstructions: string | null
  useProxy: boolean | null
  forceRefresh: boolean
  webhookUrl: string | null
  serviceName: string | null
  agentName: string | null
  clientReference: string | null
}

export interface Job extends JobRequest {
  batchId: string | null
  status: JobStatus
  /** Percent. */
  progress: number
  step: JobStep
  attempts: number
  error: StoredError | null
  warnings: Warning[]
  createdAt: Date
  updatedAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

export const JOB_COLUMNS = `id, user_id AS "userId", api_key_id AS "apiKeyId", batch_id AS "batchId", status, lane, priority,
  video_id AS "videoId", options, custom_instructions AS "customInstructions", use_proxy AS "useProxy",
  force_refresh AS "forceRefresh", webhook_url AS "webhookUrl", service_name AS "serviceName",
  agent_name AS "agentName", client_reference AS "clientReference", progress, step, attempts, error, warnings,
  created_at AS "createdAt", updated_at AS "updatedAt", started_at AS "startedAt", completed_at AS "completedAt"`

/** A job of this user; null when there is none, whoever else may have it. */
export async function findJob(sql: Sql, userId: string, jobId: string): Promise<Job | null> {
  const { rows } = await sql.query<Job>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1 AND user_id = $2`, [
    jobId,
    userId,
  ])
  return rows[0] ?? null
}

export interface FollowedJob {
  job: Job
  /** Modes whose summary is finished, in the order they were. */
  readyModes: SummaryMode[]
}

/** As `findJob`, with the summaries that are there at the same moment. */
export async function findFollowedJob(sql: Sql, userId: string, jobId: string): Promise<FollowedJob | null> {
  const { rows } = await sql.query<Job & Pick<FollowedJob, 'readyModes'>>(
    `SELECT ${JOB_COLUMNS}, ARRAY(SELECT s.mode FROM job_summaries s WHERE s.job_id = jobs.id ORDER BY s.created_at, s.mode)
       AS "readyModes" FROM jobs WHERE id = $1 AND user_id = $2`,
    [jobId, userId],
  )
  if (!rows[0]) return null
  const { readyModes, ...job } = rows[0]
  return { job, readyModes }
}

/** A claim: who works on a job, until when nobody else may. */
export interface Lease {
  jobId: string
  token: string
}

/** It waits, or its lease or pause has run out. */
export const CLAIMABLE = `(jobs.status = 'queued' OR (jobs.status = 'processing' AND (jobs.held OR jobs.wake_at <= now())))`

export const CLAIM = `status = 'processing', step = CASE step WHEN 'queued' THEN 'fetching_video' ELSE step END,
  lease_token = $2, wake_at = now() + make_interval(secs => $3), held = false,
  attempts = attempts + 1, started_at = coalesce(started_at, now()), updated_at = now()`

/**
 * Takes a job that waits, or whose lease or pause has run out, and counts the attempt. Null: somebody else has it, or it
 * has ended; the task that led here is stale.
 */
export async function claimJob(sql: Sql, lease: Lease, leaseSeconds: number): Promise<Job | null> {
  const { rows } = await sql.query<Job>(
    `UPDATE jobs SET ${CLAIM} WHERE id = $1 AND ${CLAIMABLE} RETURNING ${JOB_COLUMNS}`,
    [lease.jobId, lease.token, leaseSeconds],
  )
  return rows[0] ?? null
}

/** Prolongs the lease; false: it was lost, and the work must stop. */
export async function extendLease(sql: Sql, lease: Lease, leaseSeconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE jobs SET wake_at = now() + make_interval(secs => $3)
     WHERE id = $1 AND lease_token = $2 AND status = 'processing'`,
    [lease.jobId, lease.token, leaseSeconds],
  )
  return rowCount === 1
}

/** Shows where the work is. Progress never falls, also not on a second attempt. */
export async function reportProgress(sql: Sql, lease: Lease, step: JobStep, progress: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE jobs SET step = $3, progress = greatest(progress, $4), updated_at = now()
     WHERE id = $1 AND lease_token = $2 AND status = 'processing'`,
    [lease.jobId, lease.token, step, progress],
  )
  return rowCount === 1
}

// The column keeps milliseconds and rounds: a time cut short instead is never in the future.
/**
 * Lets go of a job that has not ended, to be taken up after `delaySeconds`. With `refund` the attempt does not count:
 * the worker is leaving, nothing went wrong.
 */
export async function releaseJob(
  sql: Sql,
  lease: Lease,
  { delaySeconds, refund }: { delaySeconds: number; refund: boolean },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE jobs SET lease_token = NULL, wake_at = date_trunc('milliseconds', now()) + make_interval(secs => $3),
       attempts = attempts - $4, updated_at = now()
     WHERE id = $1 AND lease_token = $2 AND status = 'processing'`,
    [lease.jobId, lease.token, delaySeconds, refund ? 1 : 0],
  )
  return rowCount === 1
}

export interface JobEnd {
  status: 'completed' | 'failed'
  error: StoredError | null
  warnings: Warning[]
  completedAt: Date
}

const END = `status = $3::job_status, step = $3::text, error = $4, warnings = $5::jsonb,
  progress = CASE WHEN $3::job_status = 'completed' THEN 100 ELSE progress END, lease_token = NULL, held = false,
  updated_at = $6, completed_at = $6`

const endValues = ({ status, error, warnings, completedAt }: JobEnd): unknown[] => [
  status,
  error && JSON.stringify(error),
  JSON.stringify(warnings),
  completedAt,
]

/** The fenced end of a job, once; null when the lease was lost. Belongs into the transaction with all that follows. */
export async function endJob(sql: Sql, lease: Lease, end: JobEnd): Promise<Job | null> {
  const { rows } = await sql.query<Job>(
    `UPDATE jobs SET ${END} WHERE id = $1 AND lease_token = $2 AND status = 'processing' RETURNING ${JOB_COLUMNS}`,
    [lease.jobId, lease.token, ...endValues(end)],
  )
  return rows[0] ?? null
}

/**
 * Ends a job on behalf of its owner, whoever works on it: with the lease gone, every later write of that worker is
 * refused. Null: it had ended already. Belongs into the transaction with all that follows.
 */
export async function endOwnJob(sql: Sql, userId: string, jobId: string, end: JobEnd): Promise<Job | null> {
  const { rows } = await sql.query<Job>(
    `UPDATE jobs SET ${END} WHERE id = $1 AND user_id = $2 AND status IN ('queued', 'processing') RETURNING ${JOB_COLUMNS}`,
    [jobId, userId, ...endValues(end)],
  )
  return rows[0] ?? null
}

export interface Wakeable {
  id: string
  lane: Lane
}

/**
 * Unfinished jobs whose time has come (a wake-up was lost, a lease or pause ran out), marked so that the next look at
 * them comes `againSeconds` later. Any number of sweepers may run at once.
 */
export async function takeWakeableJobs(sql: Sql, limit: number, againSeconds: number): Promise<Wakeable[]> {
  // A queued row is marked; a processing one goes to the end of the line, and stays due since a claim must find it so.
  const { rows } = await sql.query<Wakeable & { status: JobStatus }>(
    `WITH due AS (
       SELECT id FROM jobs WHERE status IN ('queued', 'processing') AND wake_at <= now()
       ORDER BY wake_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE jobs SET wake_at = CASE WHEN status = 'queued' THEN now() + make_interval(secs => $2) ELSE date_trunc('milliseconds', now()) END
     FROM due WHERE jobs.id = due.id
     RETURNING jobs.id, jobs.lane, jobs.status`,
    [limit, againSeconds],
  )
  return rows
}
