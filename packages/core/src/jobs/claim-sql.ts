import type { Plan } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { LeaseRequest } from '../coordination/index.ts'
import { LOOKED_COLUMNS, type LookedRow, leaseKeyOfVideo, toLookup, type VideoLookup } from '../transcripts/index.ts'
import { JOB_COLUMNS, type Job, type Lease, type WorkOrigin } from './job-row.ts'

/** The job is waiting, or its lease or pause has expired. For a job of a known ID. */
const CLAIMABLE = `(jobs.status::text = 'queued' OR (jobs.status::text = 'processing' AND (jobs.held OR jobs.wake_at <= now())))`

/** A row that still has a token after its lease has expired belonged to a worker that died. */
const DIED = '(lease_token IS NOT NULL)::int'

/** Counts the death of the worker that had the job, if it did not release it. Its attempt will be repeated. */
const COUNT_DEATH = `attempts = attempts - ${DIED}, deaths = deaths + ${DIED}`

const CLAIM = `status = 'processing', step = CASE step WHEN 'queued' THEN 'fetching_video' ELSE step END,
  lease_token = given.token, wake_at = now() + make_interval(secs => $3), held = false,
  attempts = attempts + 1 - ${DIED}, deaths = deaths + ${DIED}, started_at = coalesce(started_at, now()), updated_at = now()`

/** What a claim returns. A subquery sees the row as it was before. */
const CLAIMED_COLUMNS = `${JOB_COLUMNS}, traceparent, request_id AS "requestId", given.token AS "leaseToken",
  (SELECT o.lease_token IS NOT NULL FROM jobs o WHERE o.id = jobs.id) AS "tookOver",
  (SELECT u.plan FROM users u WHERE u.id = jobs.user_id) AS plan`

// Counts the running jobs of an account in a lane, up to a maximum. The lease of a worker that died counts only until
// it expires.
export const countRunning = (userId: string, lane: string, maximum: string): string =>
  `(SELECT count(*) FROM (SELECT FROM jobs r WHERE r.user_id = ${userId} AND r.lane = ${lane}
    AND r.lease_token IS NOT NULL AND r.wake_at > now() LIMIT ${maximum}) running)`

/** After this long, the sweep handles a held job even if nothing else has woken it. */
const HOLD_SECONDS = 600

const NOT_BEFORE = '(SELECT $4::timestamptz)'
const SHARE = '(SELECT $5::int)'

// Acquires the lease on fetching a video for one of its jobs, with the token of the job and for as long. It waits for no other
// holder: a lease that has ended a moment ago is left to `findVideoOrAcquire`. A job whose worker has died acquires none, since it
// may only be failed. Jobs are claimed in the order of their IDs, and leases acquired in that of their videos, so that statements
// that want the same ones do not wait for each other. Arrays and options come from subqueries, so that the planner cannot count
// elements or leave out parts, and does not plan again for each call.
const CLAIM_JOBS = `
WITH given AS (
  SELECT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) AS g(job_id, token) ORDER BY job_id
), claimed AS (
  UPDATE jobs SET ${CLAIM} FROM given
  WHERE jobs.id = given.job_id AND ${CLAIMABLE}
    AND CASE WHEN ${SHARE} IS NULL THEN true ELSE ${countRunning('jobs.user_id', 'jobs.lane', SHARE)} < ${SHARE} END
  RETURNING ${CLAIMED_COLUMNS}
), held AS (
  UPDATE jobs SET held = true, ${COUNT_DEATH}, lease_token = NULL, wake_at = now() + interval '${HOLD_SECONDS} seconds'
  FROM given
  WHERE (SELECT $6::boolean) AND jobs.id = given.job_id AND NOT EXISTS (SELECT FROM claimed WHERE claimed.id = jobs.id)
    AND NOT held AND ${CLAIMABLE}
  RETURNING jobs.id, user_id AS "userId", lane
), known AS (
  SELECT id, info, tracks, fetched_at FROM videos
  WHERE ${NOT_BEFORE} IS NOT NULL AND id = ANY (ARRAY(SELECT "videoId" FROM claimed))
), lease AS (
  INSERT INTO leases (key, token, until)
  SELECT DISTINCT ON ("videoId") ${leaseKeyOfVideo('"videoId"')}, "leaseToken", now() + make_interval(secs => $3) FROM claimed
  WHERE ${NOT_BEFORE} IS NOT NULL AND "derivedFrom" IS NULL AND imported IS NULL AND deaths = 0
    AND NOT EXISTS (SELECT FROM known WHERE known.id = "videoId"
      AND fetched_at >= CASE WHEN "forceRefresh" THEN "createdAt" ELSE ${NOT_BEFORE} END)
    AND NOT EXISTS (SELECT FROM leases WHERE key = ${leaseKeyOfVideo('claimed."videoId"')})
  ORDER BY "videoId"
  ON CONFLICT (key) DO NOTHING
  RETURNING key, token
)
SELECT given.token AS "givenToken", (SELECT to_jsonb(held) - 'id' FROM held WHERE held.id = given.job_id) AS held, claimed.*,
  ${LOOKED_COLUMNS('claimed."videoId"')}, (SELECT key FROM lease WHERE lease.token = claimed."leaseToken") AS "leaseKey"
FROM given LEFT JOIN claimed ON claimed."leaseToken" = given.token LEFT JOIN known ON known.id = claimed."videoId"`

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

/** A job that is held back, by its account and lane. */
export type HeldJob = Pick<ClaimedRow, 'userId' | 'lane'>

/** Null for a job that was neither claimed nor held back, because another worker has it or it has ended: its task is stale. */
export type ClaimOutcome = { claimed: ClaimedRow } | { held: HeldJob } | null

export interface ClaimOptions {
  leaseSeconds: number
  /**
   * With this time, also looks for the videos of the jobs. Unless one was fetched at or after it or, if the job asks for a refresh,
   * after its submission, acquires the lease on fetching it.
   */
  notBefore?: Date | undefined
  /**
   * Claims only jobs of accounts that had fewer running jobs in the lane at the beginning of the statement. The jobs of a list are
   * not counted. Default: claims all.
   */
  share?: number
  /** Whether to hold back jobs that are beyond the share, until `takeHeldJobs` takes them. Default: no. */
  hold?: boolean
}

type ClaimRow = { givenToken: string; held: HeldJob | null } & (
  | { id: null }
  | (ClaimedRow & LookedRow & { leaseKey: string | null; leaseToken: string })
)

function toOutcome(
  { givenToken: token, held, ...row }: ClaimRow,
  { leaseSeconds, notBefore }: ClaimOptions,
): ClaimOutcome {
  if (row.id === null) return held && { held }
  const { info, tracks, fetchedAt, transcripts, leaseKey, leaseToken: _, ...claimed } = row
  if (!notBefore) return { claimed }
  const lease = leaseKey === null ? null : { key: leaseKey, token, seconds: leaseSeconds }
  return { claimed: { ...claimed, look: { ...toLookup({ info, tracks, fetchedAt, transcripts }), lease } } }
}

/**
 * Claims different jobs that are waiting, or whose lease or pause has expired, and counts the attempt or, if a worker has died, the
 * death. Returns the outcomes in the order of the leases.
 */
export async function claimJobs(sql: Sql, leases: readonly Lease[], options: ClaimOptions): Promise<ClaimOutcome[]> {
  const { leaseSeconds, notBefore = null, share = null, hold = false } = options
  const { rows } = await sql.query<ClaimRow>(CLAIM_JOBS, [
    leases.map(({ jobId }) => jobId),
    leases.map(({ token }) => token),
    leaseSeconds,
    notBefore,
    share,
    hold,
  ])
  const outcomes = new Map(rows.map((row) => [row.givenToken, toOutcome(row, options)]))
  return leases.map(({ token }) => outcomes.get(token) ?? null)
}
