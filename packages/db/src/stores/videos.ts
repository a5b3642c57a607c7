import type { CaptionTrack, VideoInfo } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { acquireIf, type LeaseOutcome, type LeaseRequest, leaseValues, toLeaseOutcome } from './leases.ts'

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

export interface VideoLookup {
  /** Null if it is not stored. It may be older than requested. */
  video: StoredVideo | null
  /** Whether any of its transcripts is stored. */
  hasTranscripts: boolean
  /** `held` also if the video is as new as requested. */
  lease: LeaseOutcome
}

const FIND_OR_ACQUIRE = `
WITH known AS (
  SELECT info, tracks, fetched_at FROM videos WHERE id = $4
), lease AS (
  ${acquireIf('NOT EXISTS (SELECT FROM known WHERE fetched_at >= $5)')}
)
SELECT known.info, known.tracks, known.fetched_at AS "fetchedAt", lease.taken_over AS "takenOver",
  EXISTS (SELECT FROM transcripts WHERE video_id = $4) AS "hasTranscripts"
FROM (VALUES (1)) AS one LEFT JOIN known ON true LEFT JOIN lease ON true`

/** Finds a video and, if there is none that was fetched at or after `notBefore`, acquires the lease, in one statement. */
export async function findVideoOrAcquire(
  sql: Sql,
  videoId: string,
  notBefore: Date,
  lease: LeaseRequest,
): Promise<VideoLookup> {
  type Row = { [Column in keyof StoredVideo]: StoredVideo[Column] | null } & {
    takenOver: boolean | null
    hasTranscripts: boolean
  }
  const { rows } = await sql.query<Row>(FIND_OR_ACQUIRE, [...leaseValues(lease), videoId, notBefore])
  const { info = null, tracks = null, fetchedAt = null, takenOver, hasTranscripts = false } = rows[0] ?? {}
  const video = info && tracks && fetchedAt && { info, tracks, fetchedAt }
  return { video, hasTranscripts, lease: toLeaseOutcome(takenOver) }
}

export async function saveVideo(sql: Sql, video: Pick<StoredVideo, 'info' | 'tracks'>): Promise<void> {
  await sql.query(
    `INSERT INTO videos (id, info, tracks, fetched_at) VALUES ($1, $2::jsonb, $3::jsonb, now())
     ON CONFLICT (id) DO UPDATE SET info = excluded.info, tracks = excluded.tracks, fetched_at = excluded.fetched_at`,
    [video.info.video_id, JSON.stringify(video.info), JSON.stringify(video.tracks)],
  )
}
