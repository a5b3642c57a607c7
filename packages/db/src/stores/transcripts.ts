import type { CaptionTrack, CleaningReport, Cue, VideoInfo } from '@subtext/contracts'
import type { Sql } from '../client.ts'
import { type CuePart, packCues, unpackCues } from './cue-parts.ts'
import { type LeaseRequest, releaseLeaseOf } from './leases.ts'

export interface TranscriptHead {
  id: string
  track: CaptionTrack
  cueCount: number
  textBytes: number
  /** Null for transcripts stored before this was counted. */
  cleaning: CleaningReport | null
}

/** Finds the newest transcript of a track, if it was fetched at or after `notBefore`. */
export async function findTranscript(
  sql: Sql,
  videoId: string,
  trackKey: string,
  notBefore: Date,
): Promise<TranscriptHead | null> {
  const { rows } = await sql.query<TranscriptHead>(
    `SELECT id, track, cue_count AS "cueCount", text_bytes AS "textBytes", cleaning FROM transcripts
     WHERE video_id = $1 AND track_key = $2 AND fetched_at >= $3
     ORDER BY fetched_at DESC LIMIT 1`,
    [videoId, trackKey, notBefore],
  )
  return rows[0] ?? null
}

export interface NewTranscript {
  id: string
  videoId: string
  track: CaptionTrack
  cues: Cue[]
  cleaning?: CleaningReport
}

/** When the platform was asked, as rows contain it. If it is missing, the current time is stored. */
interface AskedTime {
  /** Seconds since the platform was asked. */
  age: number
  requested_at: Date | null
}

/** A transcript as its rows store it. */
interface PackedTranscript extends NewTranscript, Partial<AskedTime> {
  textBytes: number
  parts: CuePart[]
}

async function pack(transcript: NewTranscript): Promise<PackedTranscript> {
  const textBytes = transcript.cues.reduce((sum, cue) => sum + Buffer.byteLength(cue.text), 0)
  return { ...transcript, textBytes, parts: await packCues(transcript.cues) }
}

const toHead = ({ id, track, cues, cleaning, textBytes }: PackedTranscript): TranscriptHead => ({
  id,
  track,
  cueCount: cues.length,
  textBytes,
  cleaning: cleaning ?? null,
})

/** The parameters `$1` to `$5` of a statement with the parts made by `insertTranscripts`. */
function packedValues(transcripts: readonly PackedTranscript[]): unknown[] {
  const rows = transcripts.map(({ id, videoId, track, cues, textBytes, cleaning = null, age, requested_at }) => ({
    id,
    video_id: videoId,
    track_key: track.key,
    track,
    cue_count: cues.length,
    text_bytes: textBytes,
    cleaning,
    age,
    requested_at,
  }))
  const parts = transcripts.flatMap(({ id, parts }) => parts.map((part, partNo) => ({ id, partNo, ...part })))
  return [
    JSON.stringify(rows),
    parts.map(({ id }) => id),
    parts.map(({ partNo }) => partNo),
    parts.map(({ cueCount }) => cueCount),
    parts.map(({ body }) => body),
  ]
}

/**
 * By the clock of the database, but not before the refresh was requested, because the clock of the API that accepted it may be
 * ahead. Never in the future: a later refresh would use what was read before it. If the clock of the API is still ahead when the
 * answer is stored, other jobs that were submitted with the refresh, and a repetition of its job, ask the platform again.
 */
const FETCHED_AT = 'least(now(), greatest(now() - make_interval(secs => coalesce(age, 0)), requested_at))'

/**
 * The parts of a statement that store those transcripts for which `condition` holds. A transcript that is already stored is left
 * unchanged. The arrays come from subqueries, so that the planner does not count their elements and plan again for each call.
 */
const insertTranscripts = (condition: string): string => `given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, video_id text, track_key text, track jsonb, cue_count int,
    text_bytes int, cleaning jsonb, age float8, requested_at timestamptz)
), transcript AS (
  INSERT INTO transcripts (id, video_id, track_key, track, cue_count, text_bytes, cleaning, fetched_at)
  SELECT id, video_id, track_key, track, cue_count, text_bytes, cleaning, ${FETCHED_AT} FROM given WHERE ${condition}
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), part AS (
  INSERT INTO transcript_parts (transcript_id, part_no, cue_count, body)
  SELECT p.* FROM unnest((SELECT $2::uuid[]), (SELECT $3::int[]), (SELECT $4::int[]), (SELECT $5::bytea[]))
    AS p(transcript_id, part_no, cue_count, body)
  WHERE transcript_id IN (SELECT id FROM transcript)
)`

const SAVE_TRANSCRIPT = `WITH ${insertTranscripts('true')} SELECT`

/** Stores a transcript. May be repeated with the same ID. */
export async function saveTranscript(sql: Sql, transcript: NewTranscript): Promise<TranscriptHead> {
  const packed = await pack(transcript)
  await sql.query(SAVE_TRANSCRIPT, packedValues([packed]))
  return toHead(packed)
}

/** A video that was fetched under a lease. */
export interface FetchedVideo {
  lease: Pick<LeaseRequest, 'key' | 'token'>
  info: VideoInfo
  tracks: CaptionTrack[]
  /** When the platform was asked, as `performance.now()`. What it changed since then may be missing. */
  askedAt: number
  /** When the refresh that it was asked for was requested. Null if no refresh was. */
  requestedAt: Date | null
  /** The transcript of one of its tracks, or the head of one that was stored before. */
  transcript: NewTranscript | TranscriptHead
}

// A worker that has lost its lease stores nothing, so that a track is not stored twice. The videos are stored in one order, so that
// no two statements can wait for each other.
const SAVE_FETCHED = `
WITH lease AS (
  ${releaseLeaseOf('ANY ((SELECT $6::text[])::text[])', 'ANY ((SELECT $7::uuid[])::uuid[])')} RETURNING key, token
), fetched AS (
  SELECT f.* FROM jsonb_to_recordset($8::jsonb) AS f(key text, token uuid, id text, info jsonb, tracks jsonb, age float8,
    requested_at timestamptz, transcript_id uuid)
  JOIN lease USING (key, token)
), video AS (
  INSERT INTO videos (id, info, tracks, fetched_at) SELECT id, info, tracks, ${FETCHED_AT} FROM fetched ORDER BY id
  ON CONFLICT (id) DO UPDATE SET info = excluded.info, tracks = excluded.tracks, fetched_at = excluded.fetched_at
), ${insertTranscripts('id IN (SELECT transcript_id FROM fetched)')}
SELECT token FROM lease`

/**
 * Stores what was fetched under leases, and releases the leases, in one statement. Returns the heads of the transcripts, and null
 * for a video whose lease was lost, of which nothing is stored. May be repeated with the same IDs, because a statement that timed
 * out may still be executed later.
 */
export async function saveFetchedVideos(sql: Sql, videos: readonly FetchedVideo[]): Promise<(TranscriptHead | null)[]> {
  const transcripts = await Promise.all(
    videos.map(({ transcript }) => ('cues' in transcript ? pack(transcript) : null)),
  )
  const times = videos.map(
    ({ askedAt, requestedAt }): AskedTime => ({
      age: (performance.now() - askedAt) / 1_000,
      requested_at: requestedAt,
    }),
  )
  const rows = videos.map(({ lease: { key, token }, info, tracks, transcript }, nth) => ({
    key,
    token,
    id: info.video_id,
    info,
    tracks,
    ...times[nth],
    transcript_id: transcript.id,
  }))
  const saved = await sql.query<{ token: string }>(SAVE_FETCHED, [
    ...packedValues(transcripts.flatMap((packed, nth) => (packed ? [{ ...packed, ...times[nth] }] : []))),
    rows.map(({ key }) => key),
    rows.map(({ token }) => token),
    JSON.stringify(rows),
  ])
  const released = new Set(saved.rows.map(({ token }) => token))
  return videos.map(({ lease, transcript }, nth) => {
    if (!released.has(lease.token)) return null
    const packed = transcripts[nth]
    return packed ? toHead(packed) : (transcript as TranscriptHead)
  })
}

interface PartRow {
  part_no: number
  body: Buffer
}

const READ_PART = 'SELECT part_no, body FROM transcript_parts WHERE transcript_id = $1 AND part_no = $2'

const LIST_PARTS = 'SELECT part_no, cue_count FROM transcript_parts WHERE transcript_id = $1 ORDER BY part_no'

/**
 * Yields the first `cueCount` cues part by part, so that memory use does not depend on the length of the transcript.
 */
export async function* readCues(sql: Sql, transcriptId: string, cueCount: number): AsyncGenerator<Cue[]> {
  let left = cueCount
  for (let part = 0; left > 0; part++) {
    const { rows } = await sql.query<PartRow>(READ_PART, [transcriptId, part])
    const row = rows[0]
    if (!row) throw new Error(`Transcript ${transcriptId} has no part ${part}.`)
    const cues = await unpackCues(row.body)
    yield left < cues.length ? cues.slice(0, left) : cues
    left -= cues.length
  }
}

/** Returns the start, in milliseconds, of each of these segments (positions from 1) that the transcript has. */
export async function findCueStarts(
  sql: Sql,
  transcriptId: string,
  segmentIds: number[],
): Promise<Map<number, number>> {
  const starts = new Map<number, number>()
  if (segmentIds.length === 0) return starts
  const parts = await sql.query<{ part_no: number; cue_count: number }>(LIST_PARTS, [transcriptId])
  let first = 1
  for (const { part_no, cue_count } of parts.rows) {
    const within = segmentIds.filter((id) => id >= first && id < first + cue_count)
    const { rows } = within.length > 0 ? await sql.query<PartRow>(READ_PART, [transcriptId, part_no]) : { rows: [] }
    const cues = rows[0] ? await unpackCues(rows[0].body) : []
    for (const id of within) {
      const cue = cues[id - first]
      if (cue) starts.set(id, cue.startMs)
    }
    first += cue_count
  }
  return starts
}
