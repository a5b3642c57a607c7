import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { CaptionTrack, Cue } from '@subtext/contracts'
import type { Db, Sql } from '../client.ts'

const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

/** Cues of a part; about 100 KB of text, so that reading a part blocks nobody. */
const CUES_PER_PART = 1_000

export interface TranscriptHead {
  id: string
  track: CaptionTrack
  cueCount: number
  textBytes: number
}

/** The newest transcript of a track that was fetched at or after `notBefore`. */
export async function findTranscript(
  sql: Sql,
  videoId: string,
  trackKey: string,
  notBefore: Date,
): Promise<TranscriptHead | null> {
  const { rows } = await sql.query<TranscriptHead>(
    `SELECT id, track, cue_count AS "cueCount", text_bytes AS "textBytes" FROM transcripts
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
}

type PackedCue = [startMs: number, durationMs: number, text: string]

export async function saveTranscript(db: Db, transcript: NewTranscript): Promise<TranscriptHead> {
  const { id, videoId, track, cues } = transcript
  const textBytes = cues.reduce((sum, cue) => sum + Buffer.byteLength(cue.text), 0)
  const parts: { body: Buffer; cueCount: number }[] = []
  for (let first = 0; first < cues.length; first += CUES_PER_PART) {
    const slice = cues.slice(first, first + CUES_PER_PART)
    const packed: PackedCue[] = slice.map((cue) => [cue.startMs, cue.durationMs, cue.text])
    parts.push({ body: await compress(JSON.stringify(packed)), cueCount: slice.length })
  }
  await db.transaction(async (sql) => {
    await sql.query(
      `INSERT INTO transcripts (id, video_id, track_key, track, cue_count, text_bytes, fetched_at)
       VALUES ($1, $2, $3, $4::jsonb, $5, $6, now())`,
      [id, videoId, track.key, JSON.stringify(track), cues.length, textBytes],
    )
    await sql.query(
      `INSERT INTO transcript_parts (transcript_id, part_no, cue_count, body)
       SELECT $1, part_no - 1, cue_count, body
       FROM unnest($2::int[], $3::bytea[]) WITH ORDINALITY AS p(cue_count, body, part_no)`,
      [id, parts.map((part) => part.cueCount), parts.map((part) => part.body)],
    )
  })
  return { id, track, cueCount: cues.length, textBytes }
}

interface PartRow {
  part_no: number
  body: Buffer
}

/** The first `cueCount` cues, a part at a time, so that memory stays flat however long the transcript is. */
export async function* readCues(sql: Sql, transcriptId: string, cueCount: number): AsyncGenerator<Cue[]> {
  let left = cueCount
  for (let part = 0; left > 0; part++) {
    const { rows } = await sql.query<PartRow>(
      'SELECT part_no, body FROM transcript_parts WHERE transcript_id = $1 AND part_no = $2',
      [transcriptId, part],
    )
    const row = rows[0]
    if (!row) throw new Error(`Transcript ${transcriptId} lacks part ${part}.`)
    const cues = await unpack(row.body)
    yield left < cues.length ? cues.slice(0, left) : cues
    left -= cues.length
  }
}

async function unpack(body: Buffer): Promise<Cue[]> {
  const packed = JSON.parse((await decompress(body)).toString('utf8')) as PackedCue[]
  return packed.map(([startMs, durationMs, text]) => ({ startMs, durationMs, text }))
}
