import type { JobStatus, SourceVideoType } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { StoredEpisode } from './episode.ts'

/** A video of a source as an account sees it. */
export interface StoredSourceVideo {
  videoId: string
  title: string
  durationSeconds: number | null
  publishedAt: Date | null
  isApproximate: boolean
  position: number
  type: SourceVideoType
  /** Null for a video that can be processed. */
  reason: string | null
  /** Where an episode of a podcast is. */
  url: string | null
  jobId: string | null
  jobStatus: JobStatus | null
}

/** Which videos of a source are meant. */
export interface VideoFilter {
  sourceId: string
  userId: string
  types?: readonly SourceVideoType[] | undefined
  /** Only videos that the account has neither processed nor is processing. */
  notProcessed?: boolean | undefined
}

const IS_PROCESSED = `EXISTS (SELECT FROM jobs j WHERE j.user_id = $2 AND j.video_id = v.video_id AND j.status <> 'failed')`
const FILTER = `v.source_id = $1 AND v.gone_at IS NULL AND ($3::text[] IS NULL OR v.type = ANY ($3))
  AND (NOT $4 OR NOT ${IS_PROCESSED})`

const filterValues = ({ sourceId, userId, types, notProcessed }: VideoFilter): unknown[] => [
  sourceId,
  userId,
  types ?? null,
  notProcessed ?? false,
]

const LIST = `SELECT v.video_id AS "videoId", v.title, v.duration_seconds AS "durationSeconds", v.published_at AS "publishedAt",
    v.is_approximate AS "isApproximate", v.position, v.type, v.reason, v.episode->>'url' AS url, j.id AS "jobId", j.status AS "jobStatus"
  FROM source_videos v
  LEFT JOIN LATERAL (
    SELECT id, status FROM jobs WHERE user_id = $2 AND video_id = v.video_id ORDER BY id DESC LIMIT 1
  ) j ON true
  WHERE ${FILTER} AND v.position > $5 AND ($6::int IS NULL OR v.position < $6) ORDER BY v.position LIMIT $7`

/** Positions between which videos are read; both are excluded. */
export interface PositionRange {
  after: number
  before: number | null
  limit: number
}

/** Lists videos of a source in its order, each with the latest job of the account. */
export async function listSourceVideos(
  sql: Sql,
  filter: VideoFilter,
  range: PositionRange,
): Promise<StoredSourceVideo[]> {
  const values = [...filterValues(filter), range.after, range.before, range.limit]
  return (await sql.query<StoredSourceVideo>(LIST, values)).rows
}

/** Returns the position of a video that the source lists; null if it does not. */
export async function findPosition(sql: Sql, sourceId: string, videoId: string): Promise<number | null> {
  const { rows } = await sql.query<{ position: number }>(
    'SELECT position FROM source_videos WHERE source_id = $1 AND video_id = $2 AND gone_at IS NULL',
    [sourceId, videoId],
  )
  return rows[0]?.position ?? null
}

/** Returns which of these videos the source does not list. */
export async function findUnlisted(sql: Sql, sourceId: string, videoIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM unnest($2::text[]) AS id WHERE NOT EXISTS (
       SELECT FROM source_videos v WHERE v.source_id = $1 AND v.video_id = id AND v.gone_at IS NULL
     )`,
    [sourceId, videoIds],
  )
  return new Set(rows.map(({ id }) => id))
}

export interface VideoSelection extends VideoFilter {
  videoIds?: readonly string[] | undefined
  minSeconds?: number | undefined
  maxSeconds?: number | undefined
  publishedAfter?: Date | undefined
  /** Only so many of the newest that fit. */
  newest?: number | undefined
}

// The newest are those that were published last; among those of one time, those that the list shows first.
const SELECT = `SELECT video_id AS "videoId" FROM (
    SELECT v.video_id, v.position FROM source_videos v
    WHERE ${FILTER} AND v.reason IS NULL AND ($5::text[] IS NULL OR v.video_id = ANY ($5))
      AND ($6::int IS NULL OR v.duration_seconds >= $6) AND ($7::int IS NULL OR v.duration_seconds <= $7)
      AND ($8::timestamptz IS NULL OR v.published_at >= $8)
    ORDER BY CASE WHEN $10 THEN v.published_at END DESC NULLS LAST, v.position LIMIT $9
  ) fitting ORDER BY position`

/** Returns the IDs of all videos that fit and can be processed, in the order of the list. */
export async function selectSourceVideos(
  sql: Sql,
  selection: VideoSelection & { isByTime: boolean },
): Promise<string[]> {
  const { videoIds, minSeconds, maxSeconds, publishedAfter, newest, isByTime } = selection
  const { rows } = await sql.query<{ videoId: string }>(SELECT, [
    ...filterValues(selection),
    videoIds ?? null,
    minSeconds ?? null,
    maxSeconds ?? null,
    publishedAfter ?? null,
    newest ?? null,
    isByTime,
  ])
  return rows.map(({ videoId }) => videoId)
}

/** A video of a source, as a job about it needs it. */
export interface SubmittableVideo {
  videoId: string
  title: string
  durationSeconds: number | null
  publishedAt: Date | null
  reason: string | null
  episode: StoredEpisode | null
  /** Whether the source has it no longer. */
  isGone: boolean
}

const FIND_SEVERAL = `SELECT video_id AS "videoId", title, duration_seconds AS "durationSeconds", published_at AS "publishedAt",
    reason, episode, gone_at IS NOT NULL AS "isGone"
  FROM source_videos WHERE source_id = $1 AND video_id = ANY ($2)`

/** Finds videos that a source lists or has listed lately, in any order. */
export async function findSubmittable(
  sql: Sql,
  sourceId: string,
  videoIds: readonly string[],
): Promise<SubmittableVideo[]> {
  return (await sql.query<SubmittableVideo>(FIND_SEVERAL, [sourceId, videoIds])).rows
}
