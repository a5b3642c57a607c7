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
  /** Changes whenever a job of the page, or the total, does. */
  version: string
}

// There may be millions of finished jobs, which are counted as they come and go. The few unfinished ones are counted in
// the index. `user`: the expression of the user's ID.
function totalOf(status: JobStatus | 'all', user: string): string {
  const accepted = `coalesce((SELECT jobs_accepted FROM users WHERE id = ${user}), 0)`
  const failed = `coalesce((SELECT jobs_failed FROM users WHERE id = ${user}), 0)`
  const count = (unfinished: JobStatus): string =>
    `(SELECT count(*)::int FROM jobs WHERE user_id = ${user} AND (status, id) >= ('${unfinished}', '${LOWEST_ID}') AND (status, id) <= ('${unfinished}', '${HIGHEST_ID}'))`
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
function pageOf(status: JobStatus | 'all', { user, before: last } = { user: '$1', before: '$2::uuid' }) {
  const [condition, columns, from, order] =
    status === 'all'
      ? ['', 'user_id, id', user, 'user_id DESC, id DESC']
      : [`user_id = ${user} AND `, 'status, id', `'${status}'`, 'status DESC, id DESC']
  const own = `${condition}(${columns}) >= (${from}, '${LOWEST_ID}')`
  const before = `(${columns}) < (${from}, ${last})`
  const write = (selected: string, where: string, limit: string): string =>
    `WITH counted AS MATERIALIZED (SELECT ${totalOf(status, user)} AS total)
    SELECT ${selected}, ${TOTAL} AS total FROM jobs
    WHERE ${own} AND ${where} ORDER BY ${order} LIMIT ${limit}`
  return { columns, from, order, own, before, write }
}

type PageRow = ShownJob & {
  total: number
  /** The transaction that wrote the row last. */
  rowVersion: string
}

const SHOWN_ROW = `${SHOWN_COLUMNS}, xmin AS "rowVersion"`

const versionOf = (total: number, rows: PageRow[]): string =>
  total + rows.map(({ id, rowVersion }) => id + rowVersion).join('')

interface NextPageStatements {
  /** Reads the page that follows `$2`. */
  rows: string
  /** Returns what `versionOf` does for each page of the users `$1` that follows the jobs `$2`. */
  versions: string
}

/**
 * Returns the statements of pages that follow a job at once. The number of their rows is a literal, because PostgreSQL would
 * expect a parameter to ask for a tenth of all jobs. The arrays come from subqueries, so that the planner does not count their
 * elements and plan again for each call.
 */
function nextPage(status: JobStatus | 'all', limit: number): NextPageStatements {
  const known = nextPages.get(`${status} ${limit}`)
  if (known) return known
  const own = pageOf(status)
  const each = pageOf(status, { user: 'place.user_id', before: 'place.before' })
  const made = {
    rows: own.write(SHOWN_ROW, own.before, String(limit)),
    versions: `SELECT (
      SELECT concat(max(total), string_agg(id::text || row_version::text, ''))
      FROM (${each.write('id, xmin AS row_version', each.before, String(limit))}) AS page
    ) AS version FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) WITH ORDINALITY AS place(user_id, before, position) ORDER BY position`,
  }
  nextPages.set(`${status} ${limit}`, made)
  return made
}

const nextPages = new Map<string, NextPageStatements>()

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
  return write(SHOWN_ROW, `(${columns}) <= (${from}, ${first})`, '$4')
}

const LATER_PAGES: Record<JobStatus | 'all', string> = {
  all: laterPage('all'),
  queued: laterPage('queued'),
  processing: laterPage('processing'),
  completed: laterPage('completed'),
  failed: laterPage('failed'),
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
      ? await sql.query<PageRow>(nextPage(wanted, limit).rows, after)
      : await sql.query<PageRow>(LATER_PAGES[wanted], [...after, skip, limit])
  const total = rows[0]?.total ?? (await countJobs(sql, userId, status))
  const jobs = rows.map(({ total: _, rowVersion: __, ...job }) => job)
  return { jobs, total, version: versionOf(total, rows) }
}

/** What pages must have in common to share a statement. */
export type PageKind = Pick<JobPageRequest, 'status' | 'limit'>

/** A page without jobs to skip. */
export type OwnedPage = Pick<JobPageRequest, 'before'> & { userId: string }

/**
 * Returns the versions of pages that have jobs as `listJobs` would return them now, in the same order, for a fraction of what
 * reading them costs.
 */
export async function readPageVersions(
  sql: Sql,
  { status, limit }: PageKind,
  pages: readonly OwnedPage[],
): Promise<string[]> {
  const places = [pages.map(({ userId }) => userId), pages.map(({ before }) => before ?? HIGHEST_ID)]
  const { rows } = await sql.query<Pick<JobPage, 'version'>>(nextPage(status ?? 'all', limit).versions, places)
  return rows.map(({ version }) => version)
}

async function countJobs(sql: Sql, userId: string, status: JobStatus | null): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(`SELECT ${totalOf(status ?? 'all', '$1')} AS total`, [userId])
  return rows[0]?.total ?? 0
}

/**
 * Counts a job that has just failed, in the transaction that ended it. Run it before anything that locks quota
 * counters, because the accepting statement takes its locks in that order, too.
 */
export async function countFailure(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE users SET jobs_failed = jobs_failed + 1 WHERE id = $1', [userId])
}
