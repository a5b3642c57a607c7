import type { Sql } from '@subtext/db'

/** Which large thumbnails of a video exist. */
export interface StoredThumbnails {
  standard: boolean
  maxres: boolean
}

/** Returns the image host's answer about the large thumbnails of a video, if it has been asked. */
export async function findThumbnailSizes(sql: Sql, videoId: string): Promise<StoredThumbnails | null> {
  const { rows } = await sql.query<StoredThumbnails>('SELECT standard, maxres FROM thumbnails WHERE video_id = $1', [
    videoId,
  ])
  return rows[0] ?? null
}

/** Stores the image host's answer. */
export async function saveThumbnailSizes(
  sql: Sql,
  videoId: string,
  { standard, maxres }: StoredThumbnails,
): Promise<void> {
  await sql.query(
    `INSERT INTO thumbnails (video_id, standard, maxres, checked_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (video_id) DO UPDATE SET standard = excluded.standard, maxres = excluded.maxres, checked_at = now()`,
    [videoId, standard, maxres],
  )
}
