import type { JobStatus } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { SHOWN_COLUMNS, type ShownJob } from './jobs.ts'
import { HIGHEST_ID, LOWEST_ID, type PageRequest } from './page.ts'

export interface JobPageRequest extends PageRequest {
  /** Null for jobs of any status. */
  status: JobStatus | null
}

export interface JobPage {
  jobs: ShownJob[]
  /** Number of all jobs of this user and status, as of the same moment. */
  total: number
}

// There may be millions of finished jobs, which are counted as they come and go. The few unfinished ones are counted in
// the index.
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

const TOTAL = '(SELECT total FROM counted)'

// Total and page come from one statement, so they describe the same moment. The limits of a page are row values, and the order
// uses all of their columns, because then only one index fits: with `user_id = $1 ... ORDER BY id DESC`, the planner may choose
// to walk through the jobs of all users by their ID, and with `status = 'queued'` through all unfinished ones.
function pageOf(status: JobStatus | 'all') {
  const [condition, columns, from, order] =
    status === 'all'
      ? ['', 'user_id, id', '$1', 'user_id DESC, id DESC']
      : ['user_id = $1 AND ', 'status, id', `'${status}'`, 'status DESC, id DESC']
  const own = `${condition}(${columns}) >= (${from}, '${LOWEST_ID}')`
  const before = `(${columns}) < (${from}, $2::uuid)`
  const write = (
    where: string,
    limit: string,
  ): string => `WITH counted AS MATERIALIZED (SELECT ${TOTALS[status]} AS total)
    SELECT ${SHOWN_COLUMNS}, ${TOTAL} AS total FROM jobs
    WHERE ${own} AND ${where} ORDER BY ${order} LIMIT ${limit}`
  return { columns, from, order, own, before, write }
}

/**
 * Returns the statement of a page that follows `$2` at once. The number of its rows is a literal: PostgreSQL would expect a
 * parameter to ask for a tenth of all jobs, and therefore plan the statement again for each request, which takes longer than
 * running it.
 */
function nextPageStatement(status: JobStatus | 'all', limit: number): string {
  const { before, write } = pageOf(status)
  return write(before, String(limit))
}

/** Returns the statement of a page that skips `$3` jobs. They are read from the index; only those of the page from the table. */
function laterPageStatement(status: JobStatus | 'all'): string {
  const { columns, from, order, own, before, write } = pageOf(status)
  const forward = `(SELECT id FROM jobs WHERE ${own} AND ${before} ORDER BY ${order} OFFSET $3 LIMIT 1)`
  const backward = `(SELECT id FROM jobs WHERE ${own} AND (${columns}) <= (${from}, '${HIGHEST_ID}')
    ORDER BY ${order.replaceAll('DESC', 'ASC')} OFFSET ${TOTAL} - 1 - $3 LIMIT 1)`
  // Beyond the middle of a long list, skipping is shorter from the other end, so the last pages cost no more than the first.
  const isNearTheEnd = `$2::uuid = '${HIGHEST_ID}' AND $3::bigint > ${TOTAL} / 2 AND $3::bigint < ${TOTAL}`
  const isLong = status !== 'queued' && status !== 'processing'
  const first = isLong ? `CASE WHEN ${isNearTheEnd} THEN ${backward} ELSE ${forward} END` : forward
  return write(`(${columns}) <= (${from}, ${first})`, '$4')
}

const LATER_PAGES: Record<JobStatus | 'all', string> = {
  all: laterPageStatement('all'),
  queued: laterPageStatement('queued'),
  processing: laterPageStatement('processing'),
  completed: laterPageStatement('completed'),
  failed: laterPageStatement('failed'),
}

/** Lists a page of a user's jobs, newest first. */
export async function listJobs(
  sql: Sql,
  userId: string,
  { status, before, skip, limit }: JobPageRequest,
): Promise<JobPage> {
  const wanted = status ?? 'all'
  const after = [userId, before ?? HIGHEST_ID]
  const { rows } =
    skip === 0
      ? await sql.query<ShownJob & { total: number }>(nextPageStatement(wanted, limit), after)
      : await sql.query<ShownJob & { total: number }>(LATER_PAGES[wanted], [...after, skip, limit])
  const [first] = rows
  if (!first) return { jobs: [], total: await countJobs(sql, userId, status) }
  return { jobs: rows.map(({ total: _, ...job }) => job), total: first.total }
}

async function countJobs(sql: Sql, userId: string, status: JobStatus | null): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(`SELECT ${TOTALS[status ?? 'all']} AS total`, [userId])
  return rows[0]?.total ?? 0
}

/**
 * Counts a job that has just failed, in the transaction that ended it. Run it before anything that locks quota
 * counters, because the accepting statement takes its locks in that order, too.
 */
export async function countFailure(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE users SET jobs_failed = jobs_failed + 1 WHERE id = $1', [userId])
}
