import type { ErrorCode, ErrorDetails, JobStatus, JobStep, Lane, VideoOptions, Warning } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { LOWEST_ID } from './page.ts'

export interface StoredError {
  code: ErrorCode
  message: string
  retryable: boolean
  details?: ErrorDetails
}

/** What caused the work, for logs and traces. Callers never see it. */
export interface WorkOrigin {
  traceparent: string | null
  requestId: string | null
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
  /** The finished job to which this one adds. */
  derivedFrom: string | null
  /** Null until the platform has named it. */
  videoTitle: string | null
  status: JobStatus
  /** Percent. */
  progress: number
  step: JobStep
  /** Attempts so far, including the current one. One that a worker's death interrupts is repeated, not counted again. */
  attempts: number
  /** How many workers have died while they had the job. */
  deaths: number
  /** When the job first had to wait for the platform. Null if it never had to. */
  waitingSince: Date | null
  /** When a job that is paused is attempted again; null if it is not paused. */
  nextAttemptAt: Date | null
  error: StoredError | null
  warnings: Warning[]
  createdAt: Date
  updatedAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

/** When a paused job continues. */
export const NEXT_ATTEMPT = `CASE WHEN status = 'processing' AND lease_token IS NULL AND NOT held AND wake_at > now() THEN wake_at END`

/** The columns that requests about a job need. */
export type ShownJob = Omit<
  Job,
  'apiKeyId' | 'useProxy' | 'forceRefresh' | 'webhookUrl' | 'attempts' | 'deaths' | 'waitingSince'
>

export const SHOWN_COLUMNS = `id, user_id AS "userId", batch_id AS "batchId", derived_from AS "derivedFrom", status, lane, priority,
  video_id AS "videoId", video_title AS "videoTitle", options, custom_instructions AS "customInstructions", service_name AS "serviceName", agent_name AS "agentName",
  client_reference AS "clientReference", progress, step, ${NEXT_ATTEMPT} AS "nextAttemptAt", error, warnings,
  created_at AS "createdAt", updated_at AS "updatedAt", started_at AS "startedAt", completed_at AS "completedAt"`

export const JOB_COLUMNS = `${SHOWN_COLUMNS}, api_key_id AS "apiKeyId", use_proxy AS "useProxy", force_refresh AS "forceRefresh", webhook_url AS "webhookUrl", attempts, deaths,
  waiting_since AS "waitingSince"`

/** Identifies a claim: until its lease expires, no other worker may process the job. */
export interface Lease {
  jobId: string
  token: string
}

// Conditions on the row of a known ID, in words from which the planner cannot conclude that a partial index has the row. It
// would rather read the whole of a small index of unfinished jobs than look up the row by its ID, and the index may have
// grown by the time the plan is used again.
export const IS_UNFINISHED = `status::text IN ('queued', 'processing')`
/** Whether the claim with the token in this parameter holds the job. */
export const isHeldBy = (token: string): string =>
  `lease_token IS NOT DISTINCT FROM ${token} AND status::text = 'processing'`

/** Extends the lease. Returns false if it was lost; the work must then stop. */
export async function extendLease(sql: Sql, lease: Lease, leaseSeconds: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE jobs SET wake_at = now() + make_interval(secs => $3)
     WHERE id = $1 AND ${isHeldBy('$2')}`,
    [lease.jobId, lease.token, leaseSeconds],
  )
  return rowCount === 1
}

export interface ProgressReport {
  step: JobStep
  /** Percent. It never decreases, even on another attempt. */
  progress: number
  /** Once it is known. */
  videoTitle?: string
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number
}

/** Reports the current step. Returns false if the lease was lost. */
export async function reportProgress(
  sql: Sql,
  lease: Lease,
  { step, progress, videoTitle, platformRequests = 0 }: ProgressReport,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE jobs SET step = $3, progress = greatest(progress, $4), video_title = coalesce($5, video_title),
       platform_requests = coalesce(platform_requests, 0) + $6, updated_at = now()
     WHERE id = $1 AND ${isHeldBy('$2')}`,
    [lease.jobId, lease.token, step, progress, videoTitle ?? null, platformRequests],
  )
  return rowCount === 1
}

export interface Release {
  /** The job can be claimed again after this time. */
  delaySeconds: number
  /** Whether the attempt does not count, because nothing went wrong or the job can only wait. */
  refund: boolean
  /** Whether the job waits for the platform. Its row remembers since when. */
  waiting?: boolean
  /** Requests to the platform since the last report. Default: 0. */
  platformRequests?: number
}

/** Releases a job that has not ended. Returns false if the lease was lost. */
export async function releaseJob(
  sql: Sql,
  lease: Lease,
  { delaySeconds, refund, waiting = false, platformRequests = 0 }: Release,
): Promise<boolean> {
  // The column rounds to milliseconds. Truncating keeps the time from being in the future.
  const { rowCount } = await sql.query(
    `UPDATE jobs SET lease_token = NULL, wake_at = date_trunc('milliseconds', now()) + make_interval(secs => $3),
       attempts = attempts - $4, waiting_since = CASE WHEN $5 THEN coalesce(waiting_since, now()) ELSE waiting_since END,
       platform_requests = coalesce(platform_requests, 0) + $6, updated_at = now()
     WHERE id = $1 AND ${isHeldBy('$2')}`,
    [lease.jobId, lease.token, delaySeconds, refund ? 1 : 0, waiting, platformRequests],
  )
  return rowCount === 1
}

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

export interface WakeableJob {
  id: string
  lane: Lane
}

/** A job that is due: its wake-up was lost or it waits in a backlog, or its lease or pause has expired. */
export interface DueJob extends WakeableJob {
  wakeAt: Date
  /** Held back for longer than anything else takes to wake it. */
  held: boolean
}

/** The place of a job in the order in which jobs became due. */
export type DuePosition = Pick<DueJob, 'wakeAt' | 'id'>

// The status is part of the text, so that the planner sees which partial index contains the jobs.
const listDue = (status: 'queued' | 'processing'): string =>
  `SELECT id, lane, wake_at AS "wakeAt", held FROM jobs
   WHERE status = '${status}' AND wake_at <= now() AND (wake_at, id) > ($1, $2) ORDER BY wake_at, id LIMIT $3`
const LIST_DUE = { queued: listDue('queued'), processing: listDue('processing') }

/** Lists jobs that are due, in the order in which they became due, after `position`; null: from the beginning. */
export async function listDueJobs(
  sql: Sql,
  status: keyof typeof LIST_DUE,
  position: DuePosition | null,
  limit: number,
): Promise<DueJob[]> {
  const { wakeAt, id } = position ?? { wakeAt: new Date(0), id: LOWEST_ID }
  return (await sql.query<DueJob>(LIST_DUE[status], [wakeAt, id, limit])).rows
}

/** Ends the hold of jobs that are due. They can be held again. */
export async function endHolds(sql: Sql, jobIds: string[]): Promise<void> {
  await sql.query('UPDATE jobs SET held = false WHERE id = ANY ($1::uuid[]) AND held AND wake_at <= now()', [jobIds])
}
