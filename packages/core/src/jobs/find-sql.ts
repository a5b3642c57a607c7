import type { SummaryMode } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { JOB_COLUMNS, type Job, NEXT_ATTEMPT, SHOWN_COLUMNS, type ShownJob } from './job-row.ts'

/** Finds a job of this user. Returns null if it does not exist or belongs to another user. */
export async function findJob(sql: Sql, userId: string, jobId: string): Promise<Job | null> {
  const { rows } = await sql.query<Job>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1 AND user_id = $2`, [
    jobId,
    userId,
  ])
  return rows[0] ?? null
}

export interface OwnedId {
  userId: string
  jobId: string
}

const idValues = (ids: readonly OwnedId[]): string[][] => [
  ids.map(({ jobId }) => jobId),
  [...new Set(ids.map(({ userId }) => userId))],
]

// The arrays come from subqueries, so that the planner does not count their elements and plan again for each call.
const ARE_THESE = 'id = ANY ((SELECT $1::uuid[])::uuid[]) AND user_id = ANY ((SELECT $2::uuid[])::uuid[])'

/** Finds the parts of these jobs that are shown, in the same order. Null as for `findJob`. */
export async function findJobs(sql: Sql, ids: readonly OwnedId[]): Promise<(ShownJob | null)[]> {
  const { rows } = await sql.query<ShownJob>(`SELECT ${SHOWN_COLUMNS} FROM jobs WHERE ${ARE_THESE}`, idValues(ids))
  return inOrder(ids, rows, (job) => job)
}

function inOrder<T>(ids: readonly OwnedId[], rows: T[], jobOf: (row: T) => ShownJob): (T | null)[] {
  const byId = new Map(rows.map((row) => [jobOf(row).id, row]))
  return ids.map(({ userId, jobId }) => {
    const row = byId.get(jobId.toLowerCase())
    return row && jobOf(row).userId === userId ? row : null
  })
}

export interface FollowedJob {
  job: Job
  /** Modes whose summaries are finished, in the order in which they were finished. */
  readyModes: SummaryMode[]
  /** Changes whenever followers of the job must be told of a change. */
  state: string
}

type FollowedRow = Job & Omit<FollowedJob, 'job'>

const STATE = `concat_ws(' ', status, step, progress, ${NEXT_ATTEMPT}, (SELECT count(*) FROM job_summaries s WHERE s.job_id = jobs.id))`

const FOLLOWED_COLUMNS = `${JOB_COLUMNS},
  ARRAY(SELECT s.mode FROM job_summaries s WHERE s.job_id = jobs.id ORDER BY s.created_at, s.mode) AS "readyModes", ${STATE} AS state`

const toFollowed = ({ readyModes, state, ...job }: FollowedRow): FollowedJob => ({ job, readyModes, state })

/** Like `findJobs`, with the modes whose summaries were finished at that moment. */
export async function findFollowedJobs(sql: Sql, ids: readonly OwnedId[]): Promise<(FollowedJob | null)[]> {
  const { rows } = await sql.query<FollowedRow>(
    `SELECT ${FOLLOWED_COLUMNS} FROM jobs WHERE ${ARE_THESE}`,
    idValues(ids),
  )
  return inOrder(ids, rows.map(toFollowed), ({ job }) => job)
}

/** Returns the positions, from 0, of those jobs that no longer have the given state, or do not exist any more. */
export async function findChangedJobs(sql: Sql, seen: readonly { jobId: string; state: string }[]): Promise<number[]> {
  // A subquery, because a join would be planned as a scan of all jobs while the table has no statistics.
  const { rows } = await sql.query<{ position: number }>(
    `SELECT (position - 1)::int AS position FROM unnest((SELECT $1::uuid[]), (SELECT $2::text[])) WITH ORDINALITY AS seen(id, state, position)
     WHERE (SELECT ${STATE} FROM jobs WHERE jobs.id = seen.id) IS DISTINCT FROM seen.state`,
    [seen.map(({ jobId }) => jobId), seen.map(({ state }) => state)],
  )
  return rows.map(({ position }) => position)
}
