import type { Sql } from '@subtext/db'

/** A video with the job that an export contains. */
export interface ExportedVideo {
  jobId: string
  videoId: string
  /** The title that the video had when it was first processed, which later jobs do not change. */
  firstTitle: string
}

/** The oldest completed job that is left of the video of `source`. */
const FIRST_JOB = (source: string): string =>
  `FROM jobs j WHERE j.user_id = $1 AND j.video_id = ${source}.video_id AND j.status = 'completed' ORDER BY j.id LIMIT 1`

const COLUMNS = (source: string): string => `${source}.job_id AS "jobId", ${source}.video_id AS "videoId", coalesce((
    SELECT r.video_info->>'title' FROM results r WHERE r.job_id = (SELECT j.id ${FIRST_JOB(source)})
  ), '') AS "firstTitle"`

const LIST_LIBRARY = `SELECT ${COLUMNS('e')} FROM library_entries e
  WHERE e.user_id = $1 AND e.video_id > $2 AND ($3::timestamptz IS NULL OR e.completed_at >= $3)
    AND ($5::uuid IS NULL OR EXISTS (SELECT FROM source_videos v WHERE v.source_id = $5 AND v.video_id = e.video_id))
  ORDER BY e.video_id LIMIT $4`

export interface LibraryExportFilter {
  userId: string
  /** Only jobs completed at or after this time. */
  since: Date | null
  /** Only videos of this source. */
  sourceId: string | null
}

/** Lists a page of a library in the order of the IDs of the videos, in which a new job of a video has the place of the old one. */
export async function listLibraryPage(
  sql: Sql,
  { userId, since, sourceId }: LibraryExportFilter,
  { after, limit }: { after: string; limit: number },
): Promise<ExportedVideo[]> {
  return (await sql.query<ExportedVideo>(LIST_LIBRARY, [userId, after, since, limit, sourceId])).rows
}

const listLast = (condition: string, order: string): string => `SELECT ${COLUMNS('n')} FROM (
    SELECT DISTINCT ON (video_id) id AS job_id, video_id, ${order} AS nth FROM jobs
    WHERE ${condition} AND user_id = $1 AND status = 'completed' ORDER BY video_id, nth DESC
  ) n ORDER BY n.nth`
const LIST_BATCH = listLast('batch_id = $2', 'batch_index')
const LIST_JOBS = listLast('id = ANY ($2::uuid[])', 'id')

/** Lists the videos of a batch, in its order, with their last completed jobs. */
export async function listBatchVideos(sql: Sql, userId: string, batchId: string): Promise<ExportedVideo[]> {
  return (await sql.query<ExportedVideo>(LIST_BATCH, [userId, batchId])).rows
}

/** Lists the videos of some jobs, each with the newest of them that is completed. */
export async function listVideosOfJobs(sql: Sql, userId: string, jobIds: readonly string[]): Promise<ExportedVideo[]> {
  return (await sql.query<ExportedVideo>(LIST_JOBS, [userId, jobIds])).rows
}

const LIST_CASE_VARIANTS = `SELECT "videoId" FROM (
    SELECT e.video_id AS "videoId",
      row_number() OVER (PARTITION BY lower(e.video_id) ORDER BY (SELECT j.id ${FIRST_JOB('e')})) AS nth
    FROM library_entries e WHERE e.user_id = $1 AND lower(e.video_id) IN (
      SELECT lower(video_id) FROM library_entries WHERE user_id = $1 GROUP BY 1 HAVING count(*) > 1
    )
  ) variants WHERE nth > 1`

/** Lists the videos of a library whose ID differs only by case from that of a video that was processed before. */
export async function listCaseVariants(sql: Sql, userId: string): Promise<string[]> {
  const { rows } = await sql.query<{ videoId: string }>(LIST_CASE_VARIANTS, [userId])
  return rows.map(({ videoId }) => videoId)
}
