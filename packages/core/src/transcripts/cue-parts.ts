import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import type { Cue, Pause } from '@subtext/contracts'

const compressInPool = promisify(deflateRaw)
const decompressInPool = promisify(inflateRaw)

/** A short part takes less than a millisecond, and passing it to the thread pool would cost another tenth of one. */
const SHORT_CHARS = 16_384
const SHORT_BYTES = 16_384

const compress = (json: string): Buffer | Promise<Buffer> =>
  json.length <= SHORT_CHARS ? deflateRawSync(json) : compressInPool(json)

/** A part holds about 100 KB of ordinary speech, and rarely more, so that reading one does not block the process. */
const CUES_PER_PART = 1_000
const CHARS_PER_PART = 131_072

/** Some of the cues of a transcript, as a row stores them. */
export interface CuePart {
  cueCount: number
  body: Buffer
}

/** A part row by row, as older builds wrote it. */
type CueRow = [startMs: number, durationMs: number, text: string]

/** A part column by column, which takes a tenth to a third less than row by row, and less time. */
interface CueColumns {
  /** Milliseconds between the end of the cue before, or 0, and the start of each cue. Negative where they overlap. */
  gaps: number[]
  durations: number[]
  texts: string[]
  /** Only of tracks whose words have times. */
  pauses?: (readonly Pause[] | null)[]
  /** Only of captions that name their speakers: the names, and for each cue the position of its speaker, or -1. */
  speakers?: { names: string[]; by: number[] }
}

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

/** Divides cues into parts, each of which can be unpacked without the others. */
export async function packCues(cues: Cue[]): Promise<CuePart[]> {
  const parts: CuePart[] = []
  for (const part of splitParts(cues)) {
    parts.push({ body: await compress(JSON.stringify(toColumns(part))), cueCount: part.length })
  }
  return parts
}

function toColumns(cues: Cue[]): CueColumns {
  const columns: CueColumns = { gaps: [], durations: [], texts: [] }
  let endMs = 0
  for (const { startMs, durationMs, text } of cues) {
    columns.gaps.push(startMs - endMs)
    columns.durations.push(durationMs)
    columns.texts.push(text)
    endMs = startMs + durationMs
  }
  if (cues.some(({ pauses }) => pauses)) columns.pauses = cues.map(({ pauses = null }) => pauses)
  if (cues.some(({ speaker }) => speaker !== undefined)) columns.speakers = toSpeakers(cues)
  return columns
}

function toSpeakers(cues: Cue[]): { names: string[]; by: number[] } {
  const names = new Map<string, number>()
  const by = cues.map(({ speaker }) => {
    if (speaker === undefined) return -1
    const position = names.get(speaker) ?? names.size
    names.set(speaker, position)
    return position
  })
  return { names: [...names.keys()], by }
}

// Large enough for an ordinary part: with the default of 16 KB, every chunk would take another trip to the thread pool.
const INFLATE_OPTIONS = { chunkSize: 128 * 1024 }

const decompress = (body: Buffer): Buffer | Promise<Buffer> =>
  body.length <= SHORT_BYTES ? inflateRawSync(body, INFLATE_OPTIONS) : decompressInPool(body, INFLATE_OPTIONS)

/** Returns the cues of a part, in either form. */
export async function unpackCues(body: Buffer): Promise<Cue[]> {
  const packed: CueRow[] | CueColumns = JSON.parse((await decompress(body)).toString('utf8'))
  if (Array.isArray(packed)) return packed.map(([startMs, durationMs, text]) => ({ startMs, durationMs, text }))
  const { gaps, durations, texts, pauses: allPauses, speakers } = packed
  let endMs = 0
  return texts.map((text, nth) => {
    const startMs = endMs + (gaps[nth] ?? 0)
    const durationMs = durations[nth] ?? 0
    endMs = startMs + durationMs
    const pauses = allPauses?.[nth]
    const speaker = speakers?.names[speakers.by[nth] ?? -1]
    return {
      startMs,
      durationMs,
      text,
      ...(pauses && { pauses }),
      ...(speaker !== undefined && { speaker }),
    }
  })
}
