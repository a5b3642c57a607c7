import type { JobStatus } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { HIGHEST_ID, LOWEST_ID } from './id-bounds.ts'
import { JOB_COLUMNS, type Job } from './jobs.ts'

export interface JobListPlace {
  /** Null: jobs of every status. */
  status: JobStatus | null
  /** Only jobs older than this one; null: from the newest. */
  before: string | null
  /** Jobs to pass over from there. */
  skip: number
  limit: number
}

export interface JobListPage {
  jobs: Job[]
  /** All jobs of this user and status, at the same moment. */
  total: number
}

// Finished jobs may be millions and are counted as they come and go; unfinished ones are few and counted in the index.
const ACCEPTED = 'coalesce((SELECT jobs_accepted FROM users WHERE id = $1), 0)'
const FAILED = 'coalesce((SELECT jobs_failed FROM users WHERE id = $1), 0)'
const count = (status: JobStatus): string =>
  `(SELECT count(*)::int FROM jobs WHERE user_id = $1 AND (status, id) >= ('${status}', '${LOWEST_ID}') AND (status, id) <= ('${status}', '${HIGHEST_ID}'))`
const TOTALS: Record<JobStatus | 'all', string> = {
  all: ACCEPTED,
  failed: FAILED,
  queued: count('queued'),
  processing: count('processing'),
  completed: `${ACCEPTED} - ${FAILED} - ${count('queued')} - ${count('processing')}`,
}

// What is passed over is read from the index alone; only the rows of the page come from the table. Total and page are
// one statement, hence one moment. Bounds are rows, and all their columns are ordered by, since then one index alone
// fits: with `user_id = $1 ... ORDER BY id DESC` the planner may choose to walk through everybody's jobs by their id, and
// with `status = 'queued'` through everybody's unfinished ones.
const textOf = (status: JobStatus | 'all'): string => {
  const [condition, columns, from, order] =
    status === 'all'
      ? ['', 'user_id, id', '$1', 'user_id DESC, id DESC']
      : ['user_id = $1 AND ', 'status, id', `'${status}'`, 'status DESC, id DESC']
  const own = `${condition}(${columns}) >= (${from}, '${LOWEST_ID}')`
  return `SELECT ${JOB_COLUMNS}, ${TOTALS[status]} AS total FROM jobs
    WHERE ${own} AND (${columns}) <= (${from}, (
      SELECT id FROM jobs WHERE ${own} AND (${columns}) < (${from}, $2::uuid) ORDER BY ${order} OFFSET $3 LIMIT 1))
    ORDER BY ${order} LIMIT $4`
}

const PAGES: Record<JobStatus | 'all', string> = {
  all: textOf('all'),
  queued: textOf('queued'),
  processing: textOf('processing'),
  completed: textOf('completed'),
  failed: textOf('failed'),
}

/** A page of a user's jobs, newest first. */
export async function listJobs(
  sql: Sql,
  userId: string,
  { status, before, skip, limit }: JobListPlace,
): Promise<JobListPage> {
  const { rows } = await sql.query<Job & { total: number }>(PAGES[status ?? 'all'], [
    userId,
    before ?? HIGHEST_ID,
    skip,
    limit,
  ])
  const [first] = rows
  if (!first) return { jobs: [], total: await countJobs(sql, userId, status) }
  return { jobs: rows.map(({ total: _, ...job }) => job), total: first.total }
}

async function countJobs(sql: Sql, userId: string, status: JobStatus | null): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(`SELECT ${TOTALS[status ?? 'all']} AS total`, [userId])
  return rows[0]?.total ?? 0
}

/**
 * Counts a job that has become failed, in the transaction that made it so. Before anything that locks quota counters: the
 * accepting statement takes its locks in that order, too.
 */
export async function countFailure(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE users SET jobs_failed = jobs_failed + 1 WHERE id = $1', [userId])
}
