import { ServiceError } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { validate as isUuid } from 'uuid'

/** Throws `NOT_FOUND` unless all of these jobs are of this account. */
export async function assertOwnJobs(sql: Sql, userId: string, jobIds: readonly string[]): Promise<void> {
  const ids = [...new Set(jobIds)]
  if (!ids.every((id) => isUuid(id))) throw new ServiceError('NOT_FOUND')
  const { rows } = await sql.query<{ own: number }>(
    'SELECT count(*)::int AS own FROM jobs WHERE user_id = $1 AND id = ANY ($2::uuid[])',
    [userId, ids],
  )
  if ((rows[0]?.own ?? 0) < ids.length) throw new ServiceError('NOT_FOUND')
}

const NEWEST = (condition: string): string => `SELECT DISTINCT ON (video_id) id FROM jobs
  WHERE user_id = $1 AND status = 'completed' AND ${condition} ORDER BY video_id, id DESC`
const OF_BATCH = NEWEST('batch_id = $2')
const OF_LIST = NEWEST('id = ANY ($2::uuid[])')

/** Lists the completed jobs of a batch, or among some jobs: of each video only the newest. */
export async function listScopedJobs(
  sql: Sql,
  userId: string,
  scope: { batchId: string } | { jobIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await ('batchId' in scope
    ? sql.query<{ id: string }>(OF_BATCH, [userId, scope.batchId])
    : sql.query<{ id: string }>(OF_LIST, [userId, scope.jobIds]))
  return rows.map(({ id }) => id)
}
