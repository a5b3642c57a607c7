import type { Lane } from '@subtext/contracts'
import { HIGHEST_ID, LOWEST_ID, type Sql } from '@subtext/db'
import { countRunning } from './claim-sql.ts'
import type { WakeableJob } from './job-row.ts'

/** Maximum number of accounts checked for one below its share. */
const MAX_ACCOUNTS = 32

// Steps from account to account in the index, however many waiting jobs each of them has.
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
// The second part is only executed if the first one finds nothing.
const FIND_AROUND = `(${FIND_NEXT('$2::uuid', HIGHEST)}) UNION ALL (${FIND_NEXT(LOWEST, '$2::uuid')}) LIMIT 1`

/**
 * Finds the oldest waiting job of an account other than `userId` with fewer than `share` running jobs in the lane. Prefers the
 * account with the fewest. Returns null if no other account has such a job.
 */
export async function findNextInLine(sql: Sql, lane: Lane, userId: string, share: number): Promise<string | null> {
  return (await sql.query<{ id: string }>(FIND_AROUND, [lane, userId, share])).rows[0]?.id ?? null
}

// The sweep repeats a lost wake-up. A job that waited for its next attempt must be due, or it could not be claimed.
const WAKE = `held = false, wake_at = date_trunc('milliseconds', now()) + make_interval(
  secs => CASE WHEN status = 'queued' THEN 3 ELSE 0 END)`

/**
 * The parts of a statement that work like `takeHeldJobOf`, for each of the jobs in `ended`, named as in `JOB_COLUMNS`: `woken` has
 * as many held jobs of an account in a lane as have ended there. They are chosen in a part of their own, which is executed once,
 * so that no more of them are locked.
 */
export const takeHeldOf = (ended: string): string => `
freed AS MATERIALIZED (
  SELECT held.id FROM (SELECT "userId", lane, count(*) AS count FROM ${ended} GROUP BY "userId", lane) slots CROSS JOIN LATERAL (
    SELECT id FROM jobs h WHERE h.lane = slots.lane AND h.user_id = slots."userId" AND h.held
    ORDER BY id LIMIT slots.count FOR UPDATE SKIP LOCKED) held
), woken AS (
  UPDATE jobs SET ${WAKE} FROM freed WHERE jobs.id = freed.id RETURNING jobs.id, jobs.lane
)`

const TAKE_ONE = `WITH ended AS (SELECT $1::uuid AS "userId", $2::lane AS lane), ${takeHeldOf('ended')} SELECT * FROM woken`

/** Releases the account's oldest held job of the lane, to be woken because another one has ended. */
export async function takeHeldJobOf(sql: Sql, userId: string, lane: Lane): Promise<WakeableJob | null> {
  return (await sql.query<WakeableJob>(TAKE_ONE, [userId, lane])).rows[0] ?? null
}

export interface TakeHeldOptions {
  /** Maximum number of running jobs of an account. */
  share: number
  /** Maximum number of jobs taken from accounts beyond their share. */
  spare: number
  limit: number
  /** Where the walk through the accounts begins. With a random one, none is always last. */
  from: string
}

/**
 * Releases held jobs, to be woken: those of accounts below their share, and up to `spare` others, starting with the
 * accounts with the fewest running jobs. Looks at a limited number of accounts and of jobs of each, however many there
 * are. Any number of sweeps may run at once.
 */
export async function takeHeldJobs(
  sql: Sql,
  lane: Lane,
  { share, spare, limit, from }: TakeHeldOptions,
): Promise<WakeableJob[]> {
  const { rows } = await sql.query<WakeableJob>(TAKE_HELD, [lane, share, spare, limit, from])
  return rows
}

/** Maximum number of accounts with held jobs that one sweep looks at. */
const MAX_HELD_ACCOUNTS = 25

// Steps from account to account in the index, once around from $5.
const TAKE_HELD = `
WITH RECURSIVE visited AS (
  SELECT $5::uuid AS user_id, false AS wrapped, 0 AS nth
  UNION ALL
  SELECT next.user_id, next.wrapped, visited.nth + 1 FROM visited CROSS JOIN LATERAL (
    (SELECT user_id, visited.wrapped FROM jobs WHERE lane = $1 AND held AND user_id > visited.user_id
     ORDER BY user_id LIMIT 1)
    UNION ALL
    (SELECT user_id, true FROM jobs WHERE lane = $1 AND held AND NOT visited.wrapped ORDER BY user_id LIMIT 1)
    LIMIT 1
  ) next
  WHERE visited.nth < ${MAX_HELD_ACCOUNTS} AND (NOT next.wrapped OR next.user_id <= $5)
), accounts AS (
  SELECT user_id, ${countRunning('visited.user_id', '$1', '1000')} AS running FROM visited WHERE nth > 0
), ranked AS (
  SELECT waiting.id, row_number() OVER (PARTITION BY user_id ORDER BY waiting.id) + running AS place
  FROM accounts CROSS JOIN LATERAL (
    SELECT id FROM jobs WHERE lane = $1 AND held AND user_id = accounts.user_id
    ORDER BY id LIMIT least($4, greatest(0, $2 - running) + $3)) waiting
), chosen AS (
  SELECT id, place, row_number() OVER (ORDER BY place, id) - count(*) FILTER (WHERE place <= $2) OVER () AS beyond
  FROM ranked
), due AS (
  SELECT jobs.id FROM chosen JOIN jobs ON jobs.id = chosen.id
  WHERE (chosen.place <= $2 OR chosen.beyond <= $3) AND jobs.held
  ORDER BY chosen.place, jobs.id LIMIT $4 FOR UPDATE OF jobs SKIP LOCKED
)
UPDATE jobs SET ${WAKE} FROM due WHERE jobs.id = due.id RETURNING jobs.id, jobs.lane`
