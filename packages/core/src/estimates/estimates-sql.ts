import type { CaptionTrack, SummaryMode, VideoInfo } from '@subtext/contracts'
import { highestIdAt, type Sql } from '@subtext/db'

/** The newest transcript of a track of a video. */
export interface KnownTranscript {
  id: string
  videoId: string
  track: CaptionTrack
  cueCount: number
  textBytes: number
  /** UTF-16 code units. Null for transcripts stored before this was counted. */
  characters: number | null
  /** Taken from the newest result that is based on it, if there is one. */
  info: VideoInfo | null
  /** Whether notes on its parts have been written for this user. */
  hasNotes: boolean
  /** When this user last had a summary of it written; null if never. */
  lastUsedAt: Date | null
}

export interface KnownVideo {
  id: string
  info: VideoInfo
  tracks: CaptionTrack[]
}

/** Finds what is stored about videos, without asking the platform. */
export async function findKnownVideos(sql: Sql, videoIds: string[]): Promise<KnownVideo[]> {
  const { rows } = await sql.query<KnownVideo>('SELECT id, info, tracks FROM videos WHERE id = ANY ($1::text[])', [
    videoIds,
  ])
  return rows
}

/** Finds the newest transcript of each stored track of these videos. */
export async function findKnownTranscripts(sql: Sql, userId: string, videoIds: string[]): Promise<KnownTranscript[]> {
  const { rows } = await sql.query<KnownTranscript>(
    `SELECT t.id, t.video_id AS "videoId", t.track, t.cue_count AS "cueCount", t.text_bytes AS "textBytes",
       (t.cleaning->>'characters_after')::int AS characters,
       (SELECT video_info FROM results WHERE transcript_id = t.id ORDER BY completed_at DESC LIMIT 1) AS info,
       EXISTS (SELECT FROM transcript_notes WHERE transcript_id = t.id AND user_id = $1) AS "hasNotes",
       (SELECT max(own.created_at) FROM summaries s JOIN job_summaries own ON own.summary_id = s.id AND NOT own.reused
          JOIN jobs j ON j.id = own.job_id
        WHERE s.transcript_id = t.id AND j.user_id = $1) AS "lastUsedAt"
     FROM (
       SELECT DISTINCT ON (video_id, track_key) * FROM transcripts
       WHERE video_id = ANY ($2::text[]) AND fetched_at >= 'epoch'
       ORDER BY video_id, track_key, fetched_at DESC
     ) t`,
    [userId, videoIds],
  )
  return rows
}

/**
 * Returns for each of these keys the ID of the summary that a job of this user has used, and which costs it nothing. Null if there
 * is none.
 */
export async function findOwnSummaries(sql: Sql, userId: string, cacheKeys: Buffer[]): Promise<(string | null)[]> {
  const { rows } = await sql.query<{ position: number; id: string }>(
    `SELECT wanted.position::int AS position, newest.id
     FROM unnest($1::bytea[]) WITH ORDINALITY AS wanted(cache_key, position) CROSS JOIN LATERAL (
       SELECT id FROM summaries s WHERE s.cache_key = wanted.cache_key AND s.created_at >= 'epoch' ORDER BY s.created_at DESC LIMIT 1
     ) newest
     WHERE EXISTS (SELECT FROM job_summaries used JOIN jobs j ON j.id = used.job_id
       WHERE used.summary_id = newest.id AND j.user_id = $2)`,
    [cacheKeys, userId],
  )
  const found = new Map(rows.map(({ position, id }) => [position - 1, id]))
  return cacheKeys.map((_, index) => found.get(index) ?? null)
}

/** Returns which of these keys belong to an infographic of this user, whose content a job would reuse. */
export async function findOwnInfographicKeys(sql: Sql, userId: string, cacheKeys: Buffer[]): Promise<boolean[]> {
  const { rows } = await sql.query<{ position: number }>(
    `SELECT wanted.position::int AS position
     FROM unnest($1::bytea[]) WITH ORDINALITY AS wanted(cache_key, position)
     WHERE EXISTS (SELECT FROM infographics i JOIN jobs j ON j.id = i.job_id
       WHERE i.cache_key = wanted.cache_key AND j.user_id = $2)`,
    [cacheKeys, userId],
  )
  const found = new Set(rows.map(({ position }) => position - 1))
  return cacheKeys.map((_, index) => found.has(index))
}

/**
 * Returns the number of cues to which the transcript was cut for an earlier job with this limit; null if there was no such job.
 */
export async function findCutCueCount(sql: Sql, transcriptId: string, maxBytes: number): Promise<number | null> {
  const { rows } = await sql.query<{ cueCount: number }>(
    `SELECT r.cue_count AS "cueCount" FROM results r JOIN jobs j ON j.id = r.job_id
     WHERE r.transcript_id = $1 AND (j.options->>'max_transcript_length')::int = $2 LIMIT 1`,
    [transcriptId, maxBytes],
  )
  return rows[0]?.cueCount ?? null
}

/** The tokens that a summary, notes on a part of a transcript or the text of an infographic took. */
export interface StoredUsageSample {
  written: SummaryMode | 'notes' | 'infographic'
  cueCount: number
  textBytes: number
  characters: number | null
  /** All tokens of the prompt. Null if it was not about the whole transcript, or served several summaries. */
  promptTokens: number | null
  outputTokens: number
}

const MAX_SAMPLES = 300

/**
 * Lists the tokens that the latest summaries, notes and infographics of a model took. Shared copies are left out: their IDs do not
 * begin with the time, so most of them would come before all others.
 */
export async function listUsageSamples(sql: Sql, model: string, now: Date): Promise<StoredUsageSample[]> {
  const { rows } = await sql.query<StoredUsageSample>(
    `SELECT taken.written, t.cue_count AS "cueCount", t.text_bytes AS "textBytes",
       (t.cleaning->>'characters_after')::int AS characters, taken.prompt AS "promptTokens", taken.output AS "outputTokens"
     FROM (
       SELECT mode AS written, transcript_id, output_tokens AS output, CASE WHEN quality->>'strategy' = 'per_mode'
         THEN input_tokens + cached_tokens + cache_write_tokens END AS prompt
       FROM (SELECT * FROM summaries ORDER BY id DESC LIMIT $2) latest WHERE model = $1
       UNION ALL
       SELECT purpose, r.transcript_id, output_tokens, NULL
       FROM (
         SELECT * FROM job_spendings WHERE id < $3 AND NOT shared ORDER BY id DESC LIMIT $2
       ) latest JOIN results r ON r.job_id = latest.job_id
       WHERE purpose IN ('notes', 'infographic') AND model = $1
     ) taken JOIN transcripts t ON t.id = taken.transcript_id
     WHERE taken.output > 0`,
    [model, MAX_SAMPLES, highestIdAt(now)],
  )
  return rows
}
