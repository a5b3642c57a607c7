import type { Cue } from '@subtext/contracts'
import { type CueList, createCueList } from './cue-list.ts'
import { cueMilliseconds } from './cue-time.ts'
import { JsonReader } from './json-reader.ts'
import { createPauseFinder, type PauseFinder } from './pause-finder.ts'

const NAMES = ['utf8', 'segs', 'tStartMs', 'tOffsetMs', 'dDurationMs', 'events', 'isSpeakerChange']

// What the platform nearly always writes. Recognizing it costs a fraction of reading member by member.
const INTEGER = '(?:0|[1-9]\\d{0,14})'
const PLAIN_HEAD = new RegExp(
  `\\{"tStartMs":(${INTEGER})(?:,"dDurationMs":(${INTEGER}))?(?:,"(?:wWinId|aAppend)":${INTEGER})*,"segs":\\[`,
  'y',
)
const PLAIN_SEGMENT = new RegExp(
  `\\{"utf8":"[^"\\\\\\u0000-\\u001f]*"(?:,"(?:tOffsetMs|acAsrConf)":${INTEGER})*\\}`,
  'y',
)
const TEXT_OFFSET = '{"utf8":"'.length
const WORD_OFFSET = ',"tOffsetMs":'
const LINE_BREAK = '{"utf8":"\\n"}'
const PLAIN_TAIL = new RegExp(`\\](?:,"dDurationMs":(${INTEGER}))?\\}`, 'y')

/** Characters. No event, and nothing beside the events, is nearly as long in a real track. */
const MAX_PART_LENGTH = 1_000_000

/**
 * Parses a timed-text document in the platform's `json3` format: `{events:[{tStartMs, dDurationMs?, segs?:[{utf8}]}]}`.
 * Texts are returned as written, line breaks included. Events without text (windows, styles, appended line breaks) are
 * skipped; a missing start or duration is 0. `isSpeakerChange` of a segment begins a line with `>> `. Silences before words are
 * those that their times tell. An empty result means that the platform withheld the track.
 * Throws `SyntaxError` when the text is truncated or not JSON, `RangeError` when it is larger than any real track.
 */
export const parseJson3 = (text: string): Cue[] => {
  if (text.trim() === '') return []
  const reader = new JsonReader(text, NAMES)
  let list = createCueList()
  const finder = createPauseFinder()
  let eventsLength = 0
  if (reader.isAtObject()) {
    reader.readObject((name) => {
      if (name !== 'events') {
        reader.skipValue()
        return
      }
      const start = reader.at
      list = createCueList()
      if (reader.isAtArray()) reader.readArray(() => readEvent(reader, list, finder))
      else reader.skipValue()
      eventsLength = reader.at - start
    })
  } else reader.skipValue()
  reader.expectEnd()
  checkLength(text.length - eventsLength)
  return list.cues
}

/** Reads an event as the platform writes nearly all of them. Returns false, without having read it, for any other. */
function readPlainEvent(reader: JsonReader, list: CueList, finder: PauseFinder): boolean {
  const { text, at: start } = reader
  PLAIN_HEAD.lastIndex = start
  const head = PLAIN_HEAD.exec(text)
  if (!head) return false
  let at = PLAIN_HEAD.lastIndex
  let said = ''
  finder.begin(Number(head[1]))
  for (;;) {
    PLAIN_SEGMENT.lastIndex = at
    if (PLAIN_SEGMENT.test(text)) {
      const end = text.indexOf('"', at + TEXT_OFFSET)
      const word = text.slice(at + TEXT_OFFSET, end)
      finder.add(word, readOffset(text, end + 1))
      said += word
      at = PLAIN_SEGMENT.lastIndex
    } else if (text.startsWith(LINE_BREAK, at)) {
      said += '\n'
      at += LINE_BREAK.length
    } else return false
    if (text[at] !== ',') break
    at++
  }
  PLAIN_TAIL.lastIndex = at
  const tail = PLAIN_TAIL.exec(text)
  if (!tail) return false
  reader.at = PLAIN_TAIL.lastIndex
  checkLength(reader.at - start)
  const durationMs = cueMilliseconds(Number(tail[1] ?? head[2] ?? 0))
  list.add(cueMilliseconds(Number(head[1])), durationMs ?? 0, said, finder.end())
  return true
}

/** Reads the offset of a word, which follows its text if it is not 0. */
const readOffset = (text: string, at: number): number | null =>
  text.startsWith(WORD_OFFSET, at)
    ? Number.parseInt(text.slice(at + WORD_OFFSET.length, at + WORD_OFFSET.length + 9), 10)
    : null

/** Reads an event and adds its text, if it has any. */
function readEvent(reader: JsonReader, list: CueList, finder: PauseFinder): void {
  if (!reader.isAtObject()) {
    reader.skipValue()
    return
  }
  if (readPlainEvent(reader, list, finder)) return
  const start = reader.at
  let startMs: number | null = 0
  let durationMs: number | null = 0
  let segments: Segment[] = []
  reader.readObject((name) => {
    if (name === 'tStartMs') startMs = readMilliseconds(reader)
    else if (name === 'dDurationMs') durationMs = readMilliseconds(reader)
    else if (name === 'segs') segments = readSegments(reader)
    else reader.skipValue()
  })
  checkLength(reader.at - start)
  finder.begin(startMs ?? 0)
  for (const { text, offsetMs } of segments) finder.add(text, offsetMs)
  list.add(startMs, durationMs ?? 0, segments.map(({ mark, text }) => mark + text).join(''), finder.end())
}

/** Reads a time, which is a number or, in some responses, a string. `null` is written where there is no time. */
function readMilliseconds(reader: JsonReader): number | null {
  if (reader.isAtNumber()) return cueMilliseconds(reader.readNumber())
  if (reader.isAtString()) {
    const written = reader.readString()
    return written.trim() === '' ? null : cueMilliseconds(Number(written))
  }
  const isMissing = reader.isAtNull()
  reader.skipValue()
  return isMissing ? 0 : null
}

/** Reads a flag, which is a number in most responses. */
function readFlag(reader: JsonReader): boolean {
  if (reader.isAtNumber()) return reader.readNumber() !== 0
  const isSet = reader.isAtTrue()
  reader.skipValue()
  return isSet
}

/** The written mark of another speaker, which the text may have beside the flag. */
const SPEAKER_MARK = /^\s*(?:>|&gt;|&amp;gt;)/

interface Segment {
  /** What marks another speaker before the text. */
  mark: string
  text: string
  offsetMs: number | null
}

function readSegments(reader: JsonReader): Segment[] {
  const segments: Segment[] = []
  let changesSpeaker = false
  let segment: Segment = { mark: '', text: '', offsetMs: null }
  const readMember = (name: string): void => {
    if (name === 'utf8' && reader.isAtString()) segment.text = reader.readString()
    else if (name === 'tOffsetMs') segment.offsetMs = readMilliseconds(reader)
    else if (name === 'isSpeakerChange') changesSpeaker = readFlag(reader)
    else reader.skipValue()
  }
  const readSegment = (): void => {
    segment = { mark: '', text: '', offsetMs: null }
    changesSpeaker = false
    if (reader.isAtObject()) reader.readObject(readMember)
    else reader.skipValue()
    // On a line of its own, the mark is recognized in manual tracks too.
    if (changesSpeaker) segment.mark = SPEAKER_MARK.test(segment.text) ? '\n' : '\n>> '
    segments.push(segment)
  }
  if (reader.isAtArray()) reader.readArray(readSegment)
  else reader.skipValue()
  return segments
}

function checkLength(length: number): void {
  if (length > MAX_PART_LENGTH) throw new RangeError('A part of the track is too large.')
}
