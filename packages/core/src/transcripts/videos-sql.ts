import type { CaptionTrack, VideoInfo } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { acquireIf, type LeaseOutcome, type LeaseRequest, leaseValues, toLeaseOutcome } from '../coordination/index.ts'
import { findTranscript, type TranscriptHead } from './transcripts-sql.ts'

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
  /** Its transcripts by the key of their track, newest first; at most `MAX_TRANSCRIPTS`. */
  transcripts: (TranscriptHead & { fetchedAt: Date })[]
  /** `held` also if the video is as new as requested. */
  lease: LeaseOutcome
}

const MAX_TRANSCRIPTS = 4

/** The columns that a statement returns about the row in `known`, if there is one, and about the transcripts of the video. */
export const LOOKED_COLUMNS = (
  videoId: string,
): string => `known.info, known.tracks, known.fetched_at AS "fetchedAt", ARRAY(SELECT to_jsonb(t) FROM (
    SELECT id, track, cue_count AS "cueCount", text_bytes AS "textBytes", cleaning, fetched_at AS "fetchedAt"
    FROM transcripts WHERE video_id = ${videoId} AND owner_id IS NULL ORDER BY track_key, fetched_at DESC LIMIT ${MAX_TRANSCRIPTS}
  ) t) AS transcripts`

export type LookedRow = { [Column in keyof StoredVideo]: StoredVideo[Column] | null } & {
  transcripts: (TranscriptHead & { fetchedAt: string })[]
}

export function toLookup({ info, tracks, fetchedAt, transcripts }: LookedRow): Omit<VideoLookup, 'lease'> {
  return {
    video: info && tracks && fetchedAt && { info, tracks, fetchedAt },
    transcripts: transcripts.map((head) => ({ ...head, fetchedAt: new Date(head.fetchedAt) })),
  }
}

const VIDEO_LEASE = 'video:'

/** The key of the lease on fetching a video, as a term of SQL and as text. */
export const leaseKeyOfVideo = (videoId: string): string => `'${VIDEO_LEASE}' || ${videoId}`
export const buildVideoLeaseKey = (videoId: string): string => VIDEO_LEASE + videoId

const FIND_OR_ACQUIRE = `
WITH known AS (
  SELECT info, tracks, fetched_at FROM videos WHERE id = $4
), lease AS (
  ${acquireIf('NOT EXISTS (SELECT FROM known WHERE fetched_at >= $5)')}
)
SELECT ${LOOKED_COLUMNS('$4')}, lease.taken_over AS "takenOver"
FROM (VALUES (1)) AS one LEFT JOIN known ON true LEFT JOIN lease ON true`

const NOTHING: LookedRow = { info: null, tracks: null, fetchedAt: null, transcripts: [] }

/** Finds a video and, if there is none that was fetched at or after `notBefore`, acquires the lease, in one statement. */
export async function findVideoOrAcquire(
  sql: Sql,
  videoId: string,
  notBefore: Date,
  lease: LeaseRequest,
): Promise<VideoLookup> {
  const { rows } = await sql.query<LookedRow & { takenOver: boolean | null }>(FIND_OR_ACQUIRE, [
    ...leaseValues(lease),
    videoId,
    notBefore,
  ])
  return { ...toLookup(rows[0] ?? NOTHING), lease: toLeaseOutcome(rows[0]?.takenOver) }
}

/** Like `findTranscript`, among the transcripts of a lookup if those are all, or contain that of the track. */
export async function findTranscriptOf(
  sql: Sql,
  { transcripts }: Pick<VideoLookup, 'transcripts'>,
  { videoId, trackKey, notBefore }: { videoId: string; trackKey: string; notBefore: Date },
): Promise<TranscriptHead | null> {
  const newest = transcripts.find(({ track }) => track.key === trackKey)
  if (!newest && transcripts.length === MAX_TRANSCRIPTS) return findTranscript(sql, videoId, trackKey, notBefore)
  if (!newest || newest.fetchedAt < notBefore) return null
  const { fetchedAt: _, ...head } = newest
  return head
}

/** Stores a video as the platform described it that many seconds ago. */
export async function saveVideo(sql: Sql, video: Pick<StoredVideo, 'info' | 'tracks'>, ageSeconds = 0): Promise<void> {
  await sql.query(
    `INSERT INTO videos (id, info, tracks, fetched_at) VALUES ($1, $2::jsonb, $3::jsonb, now() - make_interval(secs => $4))
     ON CONFLICT (id) DO UPDATE SET info = excluded.info, tracks = excluded.tracks, fetched_at = excluded.fetched_at`,
    [video.info.video_id, JSON.stringify(video.info), JSON.stringify(video.tracks), ageSeconds],
  )
}
