import type { Lane } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { HIGHEST_ID, LOWEST_ID } from './id-bounds.ts'
import { CLAIM, CLAIMABLE, JOB_COLUMNS, type Job, type Lease, type Wakeable } from './jobs.ts'

// What an account has under way in a lane. The lease of a worker that died counts no longer than it lasts; no more is
// read than the question needs.
const countRunning = (userId: string, lane: string, atMost: string): string =>
  `(SELECT count(*) FROM (SELECT FROM jobs r WHERE r.user_id = ${userId} AND r.lane = ${lane}
    AND r.lease_token IS NOT NULL AND r.wake_at > now() LIMIT ${atMost}) running)`

/** As `claimJob`, but null also when the job's account has `share` jobs of the lane under way. */
export async function claimJobWithinShare(
  sql: Sql,
  lease: Lease,
  leaseSeconds: number,
  share: number,
): Promise<Job | null> {
  const { rows } = await sql.query<Job>(
    `UPDATE jobs SET ${CLAIM} WHERE id = $1 AND ${CLAIMABLE} AND ${countRunning('jobs.user_id', 'jobs.lane', '$4')} < $4
     RETURNING ${JOB_COLUMNS}`,
    [lease.jobId, lease.token, leaseSeconds, share],
  )
  return rows[0] ?? null
}

/** Looked at again after this long should nobody have woken it: the fall-back of the fall-back. */
const HOLD_SECONDS = 600

/** Holds a job back that could be claimed, until `takeHeldJobs`; null when there is nothing to hold (any more). */
export async function holdJob(sql: Sql, jobId: string): Promise<{ userId: string; lane: Lane } | null> {
  const { rows } = await sql.query<{ userId: string; lane: Lane }>(
    `UPDATE jobs SET held = true, lease_token = NULL, wake_at = now() + make_interval(secs => $2)
     WHERE id = $1 AND NOT held AND ${CLAIMABLE} RETURNING user_id AS "userId", lane`,
    [jobId, HOLD_SECONDS],
  )
  return rows[0] ?? null
}

/** Accounts looked at for one that has not got its share. */
const MAX_ACCOUNTS = 32

// Goes from account to account by the index, however many jobs each of them has waiting.
const walkLine = (from: string, to: string): string => `
  (SELECT user_id, id, 1 AS place FROM jobs
   WHERE lane = $1 AND status = 'queued' AND NOT held AND user_id > ${from} AND user_id < ${to}
   ORDER BY user_id, id LIMIT 1)
  UNION ALL
  SELECT next.user_id, next.id, line.place + 1 FROM line CROSS JOIN LATERAL (
    SELECT user_id, id FROM jobs WHERE lane = $1 AND status = 'queued' AND NOT held
      AND user_id > line.user_id AND user_id < ${to} ORDER BY user_id, id LIMIT 1) next
  WHERE line.place < ${MAX_ACCOUNTS}`

const FIND_NEXT = (from: string, to: string): string => `
WITH RECURSIVE line AS (${walkLine(from, to)}),
counted AS (SELECT id, ${countRunning('line.user_id', '$1', '$3')} AS running FROM line)
SELECT id FROM counted WHERE running < $3 ORDER BY running, id LIMIT 1`

const LOWEST = `'${LOWEST_ID}'::uuid`
const HIGHEST = `'${HIGHEST_ID}'::uuid`
const AFTER = FIND_NEXT('$2::uuid', HIGHEST)
const BEFORE = FIND_NEXT(LOWEST, '$2::uuid')

/**
 * The oldest waiting job of another account than `userId` that has less than `share` jobs of the lane under way; of
 * several such accounts, of the one with the fewest. Null: nobody else waits who may.
 */
export async function findNextInLine(sql: Sql, lane: Lane, userId: string, share: number): Promise<string | null> {
  for (const text of [AFTER, BEFORE]) {
    const { rows } = await sql.query<{ id: string }>(text, [lane, userId, share])
    if (rows[0]) return rows[0].id
  }
  return null
}

// A wake-up that gets lost is repeated by the sweeper. A job that waited for another try must be due to be claimed.
const WAKE = `held = false, wake_at = date_trunc('milliseconds', now()) + make_interval(
  secs => CASE WHEN status = 'queued' THEN 3 ELSE 0 END)`

/** The account's oldest job that is held back in the lane, held no longer; to be woken now that another one has ended. */
export async function takeHeldJobOf(sql: Sql, userId: string, lane: Lane): Promise<Wakeable | null> {
  const { rows } = await sql.query<Wakeable>(
    `UPDATE jobs SET ${WAKE} WHERE id = (
       SELECT id FROM jobs WHERE lane = $2 AND user_id = $1 AND held ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
     ) RETURNING id, lane`,
    [userId, lane],
  )
  return rows[0] ?? null
}

export interface HeldTerms {
  /** Jobs of an account under way up to which it may have more. */
  share: number
  /** Jobs taken beyond the shares. */
  spare: number
  limit: number
}

/**
 * Jobs that were held back and need not be (any longer), held no more; to be woken. Those of accounts below their share,
 * and `spare` others, the accounts with the fewest jobs first. Any number of sweepers may do so at once.
 */
export async function takeHeldJobs(sql: Sql, lane: Lane, { share, spare, limit }: HeldTerms): Promise<Wakeable[]> {
  const { rows } = await sql.query<Wakeable>(TAKE_HELD, [lane, share, spare, limit])
  return rows
}

const TAKE_HELD = `
WITH RECURSIVE accounts AS (
  (SELECT user_id, 1 AS place FROM jobs WHERE lane = $1 AND held ORDER BY user_id LIMIT 1)
  UNION ALL
  SELECT next.user_id, accounts.place + 1 FROM accounts CROSS JOIN LATERAL (
    SELECT user_id FROM jobs WHERE lane = $1 AND held AND user_id > accounts.user_id ORDER BY user_id LIMIT 1) next
  WHERE accounts.place < 1000
), ranked AS (
  SELECT waiting.id, row_number() OVER (PARTITION BY user_id ORDER BY waiting.id)
    + ${countRunning('accounts.user_id', '$1', '1000')} AS place
  FROM accounts CROSS JOIN LATERAL (
    SELECT id FROM jobs WHERE lane = $1 AND held AND user_id = accounts.user_id ORDER BY id LIMIT $4) waiting
), chosen AS (
  SELECT id, place, row_number() OVER (ORDER BY place, id) - count(*) FILTER (WHERE place <= $2) OVER () AS beyond
  FROM ranked
), due AS (
  SELECT jobs.id FROM chosen JOIN jobs ON jobs.id = chosen.id
  WHERE (chosen.place <= $2 OR chosen.beyond <= $3) AND jobs.held
  ORDER BY chosen.place, jobs.id LIMIT $4 FOR UPDATE OF jobs SKIP LOCKED
)
UPDATE jobs SET ${WAKE} FROM due WHERE jobs.id = due.id RETURNING jobs.id, jobs.lane`
