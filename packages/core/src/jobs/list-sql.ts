import type { JobStatus } from '@subtext/contracts'
import { HIGHEST_ID, LOWEST_ID, type PageRequest, type Sql } from '@subtext/db'
import { SHOWN_COLUMNS, type ShownJob } from './job-row.ts'

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
function totalOf(status: JobStatus | 'all'): string {
  const accepted = `coalesce((SELECT jobs_accepted FROM users WHERE id = $1), 0)`
  const failed = `coalesce((SELECT jobs_failed FROM users WHERE id = $1), 0)`
  const count = (unfinished: JobStatus): string =>
    `(SELECT count(*)::int FROM jobs WHERE user_id = $1 AND (status, id) >= ('${unfinished}', '${LOWEST_ID}') AND (status, id) <= ('${unfinished}', '${HIGHEST_ID}'))`
  if (status === 'all') return accepted
  if (status === 'failed') return failed
  return status === 'completed'
    ? `${accepted} - ${failed} - ${count('queued')} - ${count('processing')}`
    : count(status)
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
  const write = (where: string, limit: string): string =>
    `WITH counted AS MATERIALIZED (SELECT ${totalOf(status)} AS total)
    SELECT ${SHOWN_COLUMNS}, ${TOTAL} AS total FROM jobs
    WHERE ${own} AND ${where} ORDER BY ${order} LIMIT ${limit}`
  return { columns, from, order, own, before, write }
}

/**
 * Returns the statement of a page that follows the job `$2` at once. The number of its rows is a literal, because PostgreSQL would
 * expect a parameter to ask for a tenth of all jobs.
 */
function nextPage(status: JobStatus | 'all', limit: number): string {
  const { before, write } = pageOf(status)
  return write(before, String(limit))
}

/** Returns the statement of a page that skips `$3` jobs. They are read from the index; only those of the page from the table. */
function laterPage(status: JobStatus | 'all'): string {
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
  all: laterPage('all'),
  queued: laterPage('queued'),
  processing: laterPage('processing'),
  completed: laterPage('completed'),
  failed: laterPage('failed'),
}

/** Lists a page of a user's jobs, newest first. */
export async function listJobRows(
  sql: Sql,
  userId: string,
  { status, before, skip, limit }: JobPageRequest,
): Promise<JobPage> {
  const wanted = status ?? 'all'
  const after = [userId, before ?? HIGHEST_ID]
  const { rows } =
    skip === 0
      ? await sql.query<ShownJob & { total: number }>(nextPage(wanted, limit), after)
      : await sql.query<ShownJob & { total: number }>(LATER_PAGES[wanted], [...after, skip, limit])
  const total = rows[0]?.total ?? (await countJobs(sql, userId, status))
  return { jobs: rows.map(({ total: _, ...job }) => job), total }
}

async function countJobs(sql: Sql, userId: string, status: JobStatus | null): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(`SELECT ${totalOf(status ?? 'all')} AS total`, [userId])
  return rows[0]?.total ?? 0
}

/**
 * Counts a job that has just failed, in the transaction that ended it. Run it before anything that locks quota
 * counters, because the accepting statement takes its locks in that order, too.
 */
export async function countFailure(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE users SET jobs_failed = jobs_failed + 1 WHERE id = $1', [userId])
}
