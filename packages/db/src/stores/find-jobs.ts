import type { SummaryMode } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { JOB_COLUMNS, type Job } from './jobs.ts'

/** Finds a job of this user. Null: it does not exist or belongs to another user. */
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

/** Works like `findJob` for each of `ids`, in one statement. */
export async function findJobs(sql: Sql, ids: readonly OwnedId[]): Promise<(Job | null)[]> {
  const { rows } = await sql.query<Job>(
    `SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ANY ($1::uuid[]) AND user_id = ANY ($2::uuid[])`,
    idValues(ids),
  )
  return inOrder(ids, rows, (job) => job)
}

function inOrder<T>(ids: readonly OwnedId[], rows: T[], jobOf: (row: T) => Job): (T | null)[] {
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
}

type FollowedRow = Job & Pick<FollowedJob, 'readyModes'>

const FOLLOWED_COLUMNS = `${JOB_COLUMNS},
  ARRAY(SELECT s.mode FROM job_summaries s WHERE s.job_id = jobs.id ORDER BY s.created_at, s.mode) AS "readyModes"`

const toFollowed = ({ readyModes, ...job }: FollowedRow): FollowedJob => ({ job, readyModes })

/** Like `findJob`, with the modes whose summaries are finished at the same moment. */
export async function findFollowedJob(sql: Sql, userId: string, jobId: string): Promise<FollowedJob | null> {
  const { rows } = await sql.query<FollowedRow>(`SELECT ${FOLLOWED_COLUMNS} FROM jobs WHERE id = $1 AND user_id = $2`, [
    jobId,
    userId,
  ])
  return rows[0] ? toFollowed(rows[0]) : null
}

/** Works like `findFollowedJob` for each of `ids`, in one statement. */
export async function findFollowedJobs(sql: Sql, ids: readonly OwnedId[]): Promise<(FollowedJob | null)[]> {
  const { rows } = await sql.query<FollowedRow>(
    `SELECT ${FOLLOWED_COLUMNS} FROM jobs WHERE id = ANY ($1::uuid[]) AND user_id = ANY ($2::uuid[])`,
    idValues(ids),
  )
  return inOrder(ids, rows.map(toFollowed), ({ job }) => job)
}
