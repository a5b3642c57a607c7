import type { Plan } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { JOB_COLUMNS, type Job, type Lease, type WorkOrigin } from './jobs.ts'
import type { LeaseRequest } from './leases.ts'
import { LOOKED_COLUMNS, type LookedRow, leaseKeyOfVideo, toLookup, type VideoLookup } from './videos.ts'

/** The job is waiting, or its lease or pause has expired. For a job of a known ID. */
export const CLAIMABLE = `(jobs.status::text = 'queued' OR (jobs.status::text = 'processing' AND (jobs.held OR jobs.wake_at <= now())))`

/** A row that still has a token after its lease has expired belonged to a worker that died. */
const DIED = '(lease_token IS NOT NULL)::int'

/** Counts the death of the worker that had the job, if it did not release it. Its attempt will be repeated. */
export const COUNT_DEATH = `attempts = attempts - ${DIED}, deaths = deaths + ${DIED}`

const CLAIM = `status = 'processing', step = CASE step WHEN 'queued' THEN 'fetching_video' ELSE step END,
  lease_token = given.token, wake_at = now() + make_interval(secs => $3), held = false,
  attempts = attempts + 1 - ${DIED}, deaths = deaths + ${DIED}, started_at = coalesce(started_at, now()), updated_at = now()`

/** What a claim returns. A subquery sees the row as it was before. */
const CLAIMED_COLUMNS = `${JOB_COLUMNS}, traceparent, request_id AS "requestId", given.token AS "leaseToken",
  (SELECT o.lease_token IS NOT NULL FROM jobs o WHERE o.id = jobs.id) AS "tookOver",
  (SELECT u.plan FROM users u WHERE u.id = jobs.user_id) AS plan`

/**
 * The parts of a statement that claims those jobs for which `condition` holds, and looks for their videos if `$4` is not null.
 * Unless a video was fetched at or after that time or, if the job asks for a refresh, after its submission, it acquires the lease
 * on fetching it, for one of the jobs, with the token of the job and for as long. It waits for no other holder: a lease that has
 * ended a moment ago is left to `findVideoOrAcquire`. A job whose worker has died acquires none, since it may only be failed. The
 * parameters are those of `claimValues`. The arrays come from subqueries, so that the planner does not count their elements and
 * plan again for each call. `lock` locks the jobs before they are claimed.
 */
export const claimIf = (condition: string, lock = ''): string => `
WITH given AS (
  SELECT g.* FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) AS g(job_id, token) ${lock}
), claimed AS (
  UPDATE jobs SET ${CLAIM} FROM given
  WHERE jobs.id = given.job_id AND ${CLAIMABLE} AND ${condition} RETURNING ${CLAIMED_COLUMNS}
), known AS (
  SELECT id, info, tracks, fetched_at FROM videos
  WHERE $4::timestamptz IS NOT NULL AND id = ANY (ARRAY(SELECT "videoId" FROM claimed))
), lease AS (
  INSERT INTO leases (key, token, until)
  SELECT DISTINCT ON ("videoId") ${leaseKeyOfVideo('"videoId"')}, "leaseToken", now() + make_interval(secs => $3) FROM claimed
  WHERE $4 IS NOT NULL AND "derivedFrom" IS NULL AND deaths = 0
    AND NOT EXISTS (SELECT FROM known WHERE known.id = "videoId"
      AND fetched_at >= CASE WHEN "forceRefresh" THEN "createdAt" ELSE $4 END)
    AND NOT EXISTS (SELECT FROM leases WHERE key = ${leaseKeyOfVideo('claimed."videoId"')})
  ORDER BY "videoId"
  ON CONFLICT (key) DO NOTHING
  RETURNING key, token
)`

/** What a statement made by `claimIf` selects from `CLAIMED_FROM`. */
export const CLAIMED = `claimed.*, ${LOOKED_COLUMNS('claimed."videoId"')},
  (SELECT key FROM lease WHERE lease.token = claimed."leaseToken") AS "leaseKey"`
export const CLAIMED_FROM = 'claimed LEFT JOIN known ON known.id = claimed."videoId"'

/** What a claim found out about the video of the job. */
export interface ClaimLook extends Omit<VideoLookup, 'lease'> {
  /** The lease on fetching the video, if the claim acquired it. Null if another holder has it, or the video is new enough. */
  lease: LeaseRequest | null
}

/** A job that has just been claimed. */
export interface ClaimedRow extends Job, WorkOrigin {
  /** Whether its worker had died, as of the beginning of the statement. */
  tookOver: boolean
  /** The plan of its account. Null if the account was deleted. */
  plan: Plan | null
  /** Undefined if the claim did not look. */
  look?: ClaimLook
}

export interface ClaimOptions {
  leaseSeconds: number
  /** The time since which a video must have been fetched to be current. Undefined: the claim does not look for videos. */
  notBefore?: Date | undefined
}

/** The parameters of `claimIf`, from `$1` on. */
export const claimValues = (leases: readonly Lease[], { leaseSeconds, notBefore }: ClaimOptions): unknown[] => [
  leases.map(({ jobId }) => jobId),
  leases.map(({ token }) => token),
  leaseSeconds,
  notBefore ?? null,
]

/** A row as selected by `CLAIMED`. */
export type ClaimRow = ClaimedRow & LookedRow & { leaseKey: string | null; leaseToken: string }

export function readClaimed(row: ClaimRow, { leaseSeconds, notBefore }: ClaimOptions): ClaimedRow {
  const { info, tracks, fetchedAt, transcripts, leaseKey, leaseToken: token, ...claimed } = row
  if (!notBefore) return claimed
  const lease = leaseKey === null ? null : { key: leaseKey, token, seconds: leaseSeconds }
  return { ...claimed, look: { ...toLookup({ info, tracks, fetchedAt, transcripts }), lease } }
}

const SELECT_CLAIMED = `SELECT ${CLAIMED} FROM ${CLAIMED_FROM}`
const CLAIM_JOB = `${claimIf('true')} ${SELECT_CLAIMED}`
// Waits for no job, and for leases in the order of their videos, so that no two statements can wait for each other.
const LOCK = 'JOIN jobs locked ON locked.id = g.job_id FOR NO KEY UPDATE OF locked SKIP LOCKED'
const CLAIM_JOBS = `${claimIf('true', LOCK)} ${SELECT_CLAIMED}`

/**
 * Claims a job that is waiting, or whose lease or pause has expired, and counts the attempt or, if its worker has died, the
 * death. With `notBefore`, also looks for its video, as `claimIf` says. Returns null if another worker has the job or it
 * has ended, so that the task is stale.
 */
export async function claimJob(
  sql: Sql,
  lease: Lease,
  leaseSeconds: number,
  notBefore?: Date,
): Promise<ClaimedRow | null> {
  const options = { leaseSeconds, notBefore }
  const { rows } = await sql.query<ClaimRow>(CLAIM_JOB, claimValues([lease], options))
  return rows[0] ? readClaimed(rows[0], options) : null
}

/**
 * Claims jobs like `claimJob`, in one statement. Also returns null for a job whose row another transaction has locked. If a job
 * is named several times, it is claimed for one of the leases.
 */
export async function claimJobs(
  sql: Sql,
  leases: readonly Lease[],
  options: ClaimOptions,
): Promise<(ClaimedRow | null)[]> {
  const { rows } = await sql.query<ClaimRow>(CLAIM_JOBS, claimValues(leases, options))
  const claimed = new Map(rows.map((row) => [row.leaseToken, readClaimed(row, options)]))
  return leases.map(({ token }) => claimed.get(token) ?? null)
}
