import type { CaptionFormat, Cue } from '@subtext/contracts'
import { parseTimedText } from '../formats/timed-text.ts'
import { readAss } from './ass.ts'
import { decodeBytes } from './decode-bytes.ts'
import { readJson } from './json.ts'
import { lineAt, listLines } from './lines.ts'
import { type RawCaptions, refuseTooMany } from './raw-cue.ts'
import { refuseBinary } from './refuse-binary.ts'
import { readSami } from './sami.ts'
import { isTable, readTable, readTimedLines } from './timed-lines.ts'
import { isVtt, parseSbvTimes, parseTimingLine, readSbv, readTimingLines } from './timing-lines.ts'
import { toSegments } from './to-segments.ts'
import { isPage, readTranscriptPage } from './transcript-page.ts'
import { readTtml } from './ttml.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

export interface CaptionFileOptions {
  /** Reads the web pages as which podcasts publish transcripts, too. */
  pages?: boolean | undefined
  /** Default: recognized from the content. */
  format?: CaptionFormat | undefined
  /** Names that are speakers where a cue begins with one of them and a colon. */
  speakers?: readonly string[] | undefined
}

export interface CaptionFile {
  /** Numbered from 1, they are the segments of the transcript. */
  cues: Cue[]
  /** The encoding that was recognized. Null for captions that were given as text. */
  encoding: string | null
  /** The language that the file says (BCP-47), or null. */
  language: string | null
}

type Reader = (document: string) => RawCaptions

/** Reads the formats of the video platform that its readers know. */
const readPlatformXml: Reader = (document) => ({
  cues: parseTimedText(document).map(({ startMs, durationMs, text }) => ({
    startMs,
    endMs: startMs + durationMs,
    text,
  })),
})

const HEAD_CHARS = 4_000
const HEAD_LINES = 400
const TTML = /<(?:[\w-]{1,20}:)?tt[\s>]/
const PLATFORM_XML = /<(?:timedtext|transcript)[\s>]/

const readXml: Reader = (document) => {
  const head = document.slice(0, HEAD_CHARS)
  if (TTML.test(head)) return readTtml(document)
  if (PLATFORM_XML.test(head)) return readPlatformXml(document)
  throw new UnreadableCaptionsError('unknown_format', 'The captions are markup, but not TTML.', 1)
}

const READERS: Record<CaptionFormat, Reader> = {
  srt: readTimingLines,
  vtt: readTimingLines,
  sbv: readSbv,
  ttml: readXml,
  json: readJson,
  text: readTimedLines,
}

const refuse =
  (what: string): Reader =>
  () => {
    throw new UnreadableCaptionsError('unknown_format', what, 1)
  }

/** Readers of formats that are recognized at the beginning of a file, the first that matches. */
const RECOGNIZED: [RegExp, Reader][] = [
  [/^WEBVTT(?:\s|$)/, readTimingLines],
  [/^Scenarist_SCC/, refuse('Captions in the format SCC cannot be read. Convert them to WebVTT.')],
  [/^\{\d{1,9}\}\{\d{0,9}\}/, refuse('MicroDVD counts frames instead of seconds. Convert it to SubRip.')],
  [/^\[\d{1,9}\]\[\d{1,9}\]/, refuse('Captions in the format MPL2 cannot be read. Convert them to SubRip.')],
  [/^\d{1,3}:\d\d:\d\d[:;]\d\d\s*,/, refuse('The times of the table count frames. Convert it to SubRip.')],
  [/^(?:\{\s*["}]|\[\s*[{\]])/, readJson],
  [/^\[Script Info\]|^\[Events\]/i, readAss],
  [/^\{\\rtf/, refuse('Captions in the format RTF cannot be read. Save them as plain text.')],
  [/^<SAMI[\s>]/i, readSami],
  [/^</, readXml],
]

function recognize(document: string): Reader {
  const head = document.slice(0, HEAD_CHARS).trimStart()
  const known = RECOGNIZED.find(([beginning]) => beginning.test(head))
  if (known) return known[1]
  if (isTable(head)) return readTable
  for (const { number, text } of listLines(document)) {
    if (parseTimingLine(text)) return readTimingLines
    if (parseSbvTimes(text)) return readSbv
    if (number > HEAD_LINES) break
  }
  return readTimedLines
}

const REPLACEMENT = /\p{Surrogate}|\uFFFD/gu
/** A letter that was lost within or at the end of a word. */
const DAMAGED_WORD = /[\p{L}\p{N}](?:\p{Surrogate}|\uFFFD)/u
const MAX_REPLACEMENTS = 2

/** Whether text has more lost characters than a file that was cut. There may be millions of them. */
function hasMany(text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(REPLACEMENT)) if (++count > MAX_REPLACEMENTS) return true
  return false
}

/** Refuses text in which characters are already lost: nobody should find out from a summary. */
function refuseDamaged(text: string): void {
  if (!text.includes('\uFFFD') && text.isWellFormed()) return
  const word = text.search(DAMAGED_WORD)
  const first = text.search(REPLACEMENT)
  const at = word >= 0 ? word : hasMany(text) ? first : -1
  if (at < 0) return
  const line = lineAt(text, at)
  throw new UnreadableCaptionsError(
    'encoding',
    `Characters of the captions were lost when they were decoded (line ${line}). Send the original file.`,
    line,
  )
}

/** Runs a reader of the platform's formats, which says in its own way what it cannot read. */
function run(reader: Reader, document: string): RawCaptions {
  try {
    return reader(document)
  } catch (error) {
    if (error instanceof UnreadableCaptionsError) throw error
    if (error instanceof SyntaxError) throw new UnreadableCaptionsError('unknown_format', error.message)
    if (error instanceof RangeError) throw new UnreadableCaptionsError('too_long', error.message)
    throw error
  }
}

const FORMAT_NAMES: Record<CaptionFormat, string> = {
  srt: 'SubRip',
  vtt: 'WebVTT',
  sbv: 'SBV',
  ttml: 'TTML',
  json: 'JSON of a speech service',
  text: 'text with times',
}

const COMMA_TIMES = /\d,\d{1,3}[ \t]*-->/

/** Refuses another format than the one that is named, of which the named one's reader would make something, too. */
function refuseOtherFormat(document: string, format: CaptionFormat): void {
  const isOther =
    (format === 'srt' && isVtt(document)) ||
    (format === 'vtt' && !isVtt(document) && COMMA_TIMES.test(document.slice(0, HEAD_CHARS))) ||
    (format === 'text' && recognize(document) !== readTimedLines)
  if (isOther) throw new UnreadableCaptionsError('unknown_format', `The captions are not ${FORMAT_NAMES[format]}.`, 1)
}

const HAS_TIME = /\d:\d\d/

/** Explains why a document has no cues. */
function explainNothing(document: string, format: CaptionFormat | undefined): UnreadableCaptionsError {
  const isOther = format && !document.startsWith('WEBVTT') && /\S/.test(document)
  if (isOther && !HAS_TIME.test(document)) {
    return new UnreadableCaptionsError(
      'no_times',
      `The captions have no times that could be read as ${FORMAT_NAMES[format]}.`,
      1,
    )
  }
  if (isOther) return new UnreadableCaptionsError('unknown_format', `The captions are not ${FORMAT_NAMES[format]}.`, 1)
  return new UnreadableCaptionsError('empty', 'The captions contain no text.')
}

/**
 * Reads a file of captions in any of the formats that people have: SubRip, WebVTT, SBV, TTML, SubStation Alpha, SAMI, lyrics,
 * JSON of speech services, and text with times. Throws `UnreadableCaptionsError` for a file without anything that can be read.
 */
export function readCaptionFile(file: Uint8Array | string, options: CaptionFileOptions = {}): CaptionFile {
  const { text, encoding } = typeof file === 'string' ? { text: file, encoding: null } : decodeBytes(file)
  const document = text.replace(/^\uFEFF+/, '')
  if (document.trim() === '') throw new UnreadableCaptionsError('empty', 'The captions are empty.')
  refuseBinary(document)
  refuseDamaged(document)
  const { format, speakers = [], pages = false } = options
  const isShown = pages && isPage(document.slice(0, HEAD_CHARS))
  if (format) refuseOtherFormat(document, format)
  const reader = format ? READERS[format] : isShown ? readTranscriptPage : recognize(document)
  const { cues: raw, language = null } = run(reader, document)
  refuseTooMany(raw.length)
  const cues = toSegments(raw, speakers)
  if (cues.length > 0) return { cues, encoding, language }
  throw raw.length > 0
    ? new UnreadableCaptionsError('empty', 'The captions contain no text.')
    : explainNothing(document, format)
}
