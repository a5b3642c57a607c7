import type { JobStatus } from '@subtext/contracts'
import { HIGHEST_ID, LOWEST_ID, type Sql } from '@subtext/db'
import type { JobMatcher } from './build-matcher.ts'
import { SHOWN_COLUMNS, type ShownJob } from './job-row.ts'
import type { JobPage, JobPageRequest } from './list-sql.ts'

// Reads all jobs of the account, once, without their results: the names of channels come from its library. Only what a page shows
// is read whole.
const findMatching = (hasStatus: boolean): string => `
WITH matching AS MATERIALIZED (
  SELECT id FROM jobs WHERE (user_id, id) >= ($1, '${LOWEST_ID}') AND (user_id, id) <= ($1, '${HIGHEST_ID}')
    AND ${hasStatus ? '' : '$9::job_status IS NULL AND '}(video_title ~ $2 OR video_id IN (
      SELECT video_id FROM library_entries WHERE user_id = $1 AND (channel_name ~ $2 OR channel_id = $3)
    ) OR starts_with(video_id, $4) OR starts_with(id::text, $5))${hasStatus ? ' AND status = $9' : ''}
), page AS (
  SELECT ${SHOWN_COLUMNS} FROM jobs WHERE id = ANY (ARRAY(
    SELECT id FROM matching WHERE id < $6::uuid ORDER BY id DESC OFFSET $7 LIMIT $8
  ))
)
SELECT page.*, counted.total FROM (SELECT count(*)::int AS total FROM matching) counted LEFT JOIN page ON true ORDER BY id DESC`

const OF_ANY_STATUS = findMatching(false)
const OF_STATUS = findMatching(true)

/** Lists a page of a user's jobs that match, newest first, and counts all of them. */
export async function listMatchingJobs(
  sql: Sql,
  userId: string,
  { status, before, skip, limit, matcher }: JobPageRequest & { matcher: JobMatcher },
): Promise<JobPage> {
  const { pattern, exact, videoId, jobId } = matcher
  const { rows } = await sql.query<ShownJob & { total: number }>(status === null ? OF_ANY_STATUS : OF_STATUS, [
    ...[userId, pattern, exact, videoId, jobId],
    ...[before ?? HIGHEST_ID, skip, limit],
    status satisfies JobStatus | null,
  ])
  return {
    jobs: rows.filter(({ id }) => id !== null).map(({ total: _, ...job }) => job),
    total: rows[0]?.total ?? 0,
  }
}
