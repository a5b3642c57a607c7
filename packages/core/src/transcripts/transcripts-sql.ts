import type { CaptionTrack, CleaningReport, Cue, VideoInfo } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { type LeaseRequest, RELEASE_LEASE } from '../coordination/index.ts'
import { type CuePart, packCues, unpackCues } from './cue-parts.ts'

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
     WHERE video_id = $1 AND track_key = $2 AND fetched_at >= $3 AND owner_id IS NULL
     ORDER BY fetched_at DESC LIMIT 1`,
    [videoId, trackKey, notBefore],
  )
  return rows[0] ?? null
}

/** Finds the transcript that an account has imported. */
export async function findImportedTranscript(sql: Sql, id: string, ownerId: string): Promise<TranscriptHead | null> {
  const { rows } = await sql.query<TranscriptHead>(
    `SELECT id, track, cue_count AS "cueCount", text_bytes AS "textBytes", cleaning FROM transcripts
     WHERE id = $1 AND owner_id = $2`,
    [id, ownerId],
  )
  return rows[0] ?? null
}

export interface NewTranscript {
  id: string
  videoId: string
  track: CaptionTrack
  cues: Cue[]
  cleaning?: CleaningReport
  /** The account that imported it. Default: captions of the platform, which all accounts share. */
  ownerId?: string
}

/** A transcript as its rows store it. */
interface PackedTranscript extends NewTranscript {
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

/** The parameters of the parts made by `insertTranscript`. */
const packedValues = ({
  id,
  videoId,
  track,
  cues,
  textBytes,
  cleaning,
  parts,
  ownerId,
}: PackedTranscript): unknown[] => [
  id,
  videoId,
  track.key,
  JSON.stringify(track),
  cues.length,
  textBytes,
  cleaning && JSON.stringify(cleaning),
  parts.map(({ cueCount }) => cueCount),
  parts.map(({ body }) => body),
  ownerId ?? null,
]

/**
 * Returns the parts of a statement that store a transcript if there is a row in `source`. `first`: the position of the first of
 * its parameters, which are those of `packedValues`. A transcript that is already stored is left unchanged. The arrays come from
 * subqueries, so that the planner does not count their elements and plan again for each call.
 */
function insertTranscript(source: string, { first, fetchedAt }: { first: number; fetchedAt: string }): string {
  const nth = (position: number): string => `$${first + position}`
  return `transcript AS (
  INSERT INTO transcripts (id, video_id, track_key, track, cue_count, text_bytes, cleaning, fetched_at, owner_id)
  SELECT ${nth(0)}, ${nth(1)}, ${nth(2)}, ${nth(3)}::jsonb, ${nth(4)}, ${nth(5)}, ${nth(6)}::jsonb, ${fetchedAt}, ${nth(9)}::uuid FROM ${source}
  ON CONFLICT (id) DO NOTHING
  RETURNING id
), part AS (
  INSERT INTO transcript_parts (transcript_id, part_no, cue_count, body)
  SELECT transcript.id, part_no - 1, cue_count, body
  FROM transcript, unnest((SELECT ${nth(7)}::int[]), (SELECT ${nth(8)}::bytea[]))
    WITH ORDINALITY AS p(cue_count, body, part_no)
)`
}

const SAVE_TRANSCRIPT = `WITH ${insertTranscript('(VALUES (1)) AS one', { first: 1, fetchedAt: 'now()' })} SELECT`

/** Stores a transcript. May be repeated with the same ID. */
export async function saveTranscript(sql: Sql, transcript: NewTranscript): Promise<TranscriptHead> {
  const packed = await pack(transcript)
  await sql.query(SAVE_TRANSCRIPT, packedValues(packed))
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

/**
 * By the clock of the database, but not before the refresh was requested, because the clock of the API that accepted it may be
 * ahead. Never in the future: a later refresh would use what was read before it. If the clock of the API is still ahead when the
 * answer is stored, other jobs that were submitted with the refresh, and a repetition of its job, ask the platform again.
 * `$6`: seconds since the platform was asked. `$7`: when the refresh was requested.
 */
const FETCHED_AT = 'least(now(), greatest(now() - make_interval(secs => $6), $7::timestamptz))'

// A worker that has lost its lease stores nothing, so that a track is not stored twice.
const saveFetched = (parts: string): string => `
WITH lease AS (
  ${RELEASE_LEASE} RETURNING key
), video AS (
  INSERT INTO videos (id, info, tracks, fetched_at) SELECT $3, $4::jsonb, $5::jsonb, ${FETCHED_AT} FROM lease
  ON CONFLICT (id) DO UPDATE SET info = excluded.info, tracks = excluded.tracks, fetched_at = excluded.fetched_at
)${parts} SELECT FROM lease`

const SAVE_FETCHED = {
  video: saveFetched(''),
  both: saveFetched(`, ${insertTranscript('lease', { first: 8, fetchedAt: FETCHED_AT })}`),
}

/**
 * Stores what was fetched under a lease, and releases the lease, in one statement: a video and, unless it was stored before, the
 * transcript of one of its tracks. Returns the head of the transcript, or null if the lease was lost and nothing was stored. May
 * be repeated with the same IDs, because a statement that timed out may still be executed later.
 */
export async function saveFetchedVideo(sql: Sql, fetched: FetchedVideo): Promise<TranscriptHead | null> {
  const { lease, info, tracks, transcript } = fetched
  const packed = 'cues' in transcript ? await pack(transcript) : null
  const ageSeconds = (performance.now() - fetched.askedAt) / 1_000
  const described = [info.video_id, JSON.stringify(info), JSON.stringify(tracks)]
  const video = [lease.key, lease.token, ...described, ageSeconds, fetched.requestedAt]
  const { rowCount } = packed
    ? await sql.query(SAVE_FETCHED.both, [...video, ...packedValues(packed)])
    : await sql.query(SAVE_FETCHED.video, video)
  if (rowCount === 0) return null
  return packed ? toHead(packed) : (transcript as TranscriptHead)
}

interface PartRow {
  part_no: number
  body: Buffer
}

const READ_PART = 'SELECT part_no, body FROM transcript_parts WHERE transcript_id = $1 AND part_no = $2'

const LIST_PARTS = 'SELECT part_no, cue_count FROM transcript_parts WHERE transcript_id = $1 ORDER BY part_no'

/** Thrown for a transcript of which a part is missing, because it has been deleted, or cannot be unpacked. */
export class UnreadableTranscriptError extends Error {
  constructor(transcriptId: string, part: number, cause?: unknown) {
    super(`Transcript ${transcriptId} has no readable part ${part}.`, { cause })
    this.name = 'UnreadableTranscriptError'
  }
}

/**
 * Yields the first `cueCount` cues part by part, so that memory use does not depend on the length of the transcript.
 * Throws `UnreadableTranscriptError`, and the errors of the database.
 */
export async function* readCues(sql: Sql, transcriptId: string, cueCount: number): AsyncGenerator<Cue[]> {
  let left = cueCount
  for (let part = 0; left > 0; part++) {
    const { rows } = await sql.query<PartRow>(READ_PART, [transcriptId, part])
    const row = rows[0]
    if (!row) throw new UnreadableTranscriptError(transcriptId, part)
    const cues = await unpackCues(row.body).catch((error: unknown) => {
      throw new UnreadableTranscriptError(transcriptId, part, error)
    })
    yield left < cues.length ? cues.slice(0, left) : cues
    left -= cues.length
  }
}

/** Returns the first `cueCount` cues at once. */
export async function readAllCues(sql: Sql, transcriptId: string, cueCount: number): Promise<Cue[]> {
  const cues: Cue[] = []
  for await (const part of readCues(sql, transcriptId, cueCount)) cues.push(...part)
  return cues
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
