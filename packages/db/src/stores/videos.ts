import type { CaptionTrack, VideoInfo } from '@subtext/contracts'
import type { Sql } from '../client.ts'

export interface StoredVideo {
  info: VideoInfo
  tracks: CaptionTrack[]
  fetchedAt: Date
}

export async function findVideo(sql: Sql, videoId: string): Promise<StoredVideo | null> {
  const { rows } = await sql.query<StoredVideo>(
    'SELECT info, tracks, fetched_at AS "fetchedAt" FROM videos WHERE id = $1',
    [videoId],
  )
  return rows[0] ?? null
}

export async function saveVideo(sql: Sql, video: Pick<StoredVideo, 'info' | 'tracks'>): Promise<void> {
  await sql.query(
    `INSERT INTO videos (id, info, tracks, fetched_at) VALUES ($1, $2::jsonb, $3::jsonb, now())
     ON CONFLICT (id) DO UPDATE SET info = excluded.info, tracks = excluded.tracks, fetched_at = excluded.fetched_at`,
    [video.info.video_id, JSON.stringify(video.info), JSON.stringify(video.tracks)],
  )
}
