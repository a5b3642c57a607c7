import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { CaptionTrack, CleaningReport, Cue } from '@subtext/contracts'
import type { Db, Sql } from '../client.ts'

const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

/** A part holds about 100 KB of ordinary speech, and rarely more, so that reading one does not block the process. */
const CUES_PER_PART = 1_000
const CHARS_PER_PART = 131_072

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

type PackedCue = [startMs: number, durationMs: number, text: string]

function splitParts(cues: Cue[]): Cue[][] {
  const parts: Cue[][] = []
  let part: Cue[] = []
  let chars = CHARS_PER_PART
  for (const cue of cues) {
    if (part.length === CUES_PER_PART || chars >= CHARS_PER_PART) {
      part = []
      parts.push(part)
      chars = 0
    }
    part.push(cue)
    chars += cue.text.length
  }
  return parts
}

/**
 * Stores a transcript, unless one of the same track was fetched at or after `notBefore`. Returns the stored one. When
 * several calls compete, the first one wins.
 */
export async function saveTranscript(db: Db, transcript: NewTranscript, notBefore?: Date): Promise<TranscriptHead> {
  const { id, videoId, track, cues, cleaning } = transcript
  const textBytes = cues.reduce((sum, cue) => sum + Buffer.byteLength(cue.text), 0)
  const parts: { body: Buffer; cueCount: number }[] = []
  for (const part of splitParts(cues)) {
    const packed: PackedCue[] = part.map((cue) => [cue.startMs, cue.durationMs, cue.text])
    parts.push({ body: await compress(JSON.stringify(packed)), cueCount: part.length })
  }
  return db.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`track:${videoId}:${track.key}`])
    const existing = notBefore && (await findTranscript(sql, videoId, track.key, notBefore))
    if (existing) return existing
    await sql.query(
      `INSERT INTO transcripts (id, video_id, track_key, track, cue_count, text_bytes, cleaning, fetched_at)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7::jsonb, now())`,
      [id, videoId, track.key, JSON.stringify(track), cues.length, textBytes, cleaning && JSON.stringify(cleaning)],
    )
    await sql.query(
      `INSERT INTO transcript_parts (transcript_id, part_no, cue_count, body)
       SELECT $1, part_no - 1, cue_count, body
       FROM unnest($2::int[], $3::bytea[]) WITH ORDINALITY AS p(cue_count, body, part_no)`,
      [id, parts.map((part) => part.cueCount), parts.map((part) => part.body)],
    )
    return { id, track, cueCount: cues.length, textBytes, cleaning: cleaning ?? null }
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
    const cues = await unpack(row.body)
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
    const cues = rows[0] ? await unpack(rows[0].body) : []
    for (const id of within) {
      const cue = cues[id - first]
      if (cue) starts.set(id, cue.startMs)
    }
    first += cue_count
  }
  return starts
}

// Large enough for an ordinary part: with the default of 16 KB, every chunk takes another trip to the thread pool.
const INFLATE_OPTIONS = { chunkSize: 128 * 1024 }

async function unpack(body: Buffer): Promise<Cue[]> {
  const packed: PackedCue[] = JSON.parse((await decompress(body, INFLATE_OPTIONS)).toString('utf8'))
  return packed.map(([startMs, durationMs, text]) => ({ startMs, durationMs, text }))
}
