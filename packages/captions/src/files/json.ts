import { parseJson3 } from '../formats/json3.ts'
import {
  isObject,
  type JsonObject,
  joinWords,
  listObjects,
  memberOf,
  readItem,
  speakerOf,
  type TimedItem,
  type TimeUnit,
  textOf,
  timeOf,
} from './json-values.ts'
import { lineAt } from './lines.ts'
import { type RawCaptions, type RawCue, refuseTooMany } from './raw-cue.ts'
import { UnreadableCaptionsError } from './unreadable.ts'

const SECONDS: TimeUnit = 1_000
const MILLISECONDS: TimeUnit = 1

/** Reads one shape of document. Returns null for another shape. */
type Shape = (document: JsonObject) => TimedItem[] | null

const readItems = (value: unknown, unit: TimeUnit): TimedItem[] | null =>
  Array.isArray(value) ? listObjects(value).map((item) => readItem(item, unit)) : null

/** Rev: each monologue has elements, some of which have times. */
const readMonologues: Shape = ({ monologues }) =>
  Array.isArray(monologues)
    ? listObjects(monologues).map((monologue): TimedItem => {
        const elements = listObjects(monologue.elements)
        const timed = elements.filter(({ type }) => type === 'text').map((element) => readItem(element, SECONDS))
        return {
          startMs: timed.find(({ startMs }) => startMs !== null)?.startMs ?? null,
          endMs: timed.findLast(({ endMs }) => endMs !== null)?.endMs ?? null,
          text: elements.map(textOf).join(''),
          speaker: speakerOf(monologue),
        }
      })
    : null

/** Amazon Transcribe: segments in newer documents, else words and marks of punctuation with their alternatives. */
const readAmazon: Shape = ({ results }) => {
  const segments = readItems(memberOf(results, 'audio_segments'), SECONDS)
  if (segments || !Array.isArray(memberOf(results, 'items'))) return segments
  const words = listObjects(memberOf(results, 'items')).map((item) => ({
    ...item,
    content: listObjects(item.alternatives)[0]?.content,
  }))
  return joinWords(words, SECONDS)
}

/** Deepgram: utterances, else the sentences or the words of each channel. */
const readDeepgram: Shape = ({ results }) => {
  const utterances = readItems(memberOf(results, 'utterances'), SECONDS)
  if (utterances || !Array.isArray(memberOf(results, 'channels'))) return utterances
  return listObjects(memberOf(results, 'channels')).flatMap((channel) => {
    const alternative = listObjects(channel.alternatives)[0] ?? {}
    const paragraphs = listObjects(memberOf(alternative, 'paragraphs', 'paragraphs'))
    if (paragraphs.length === 0) return joinWords(listObjects(alternative.words), SECONDS)
    return paragraphs.flatMap((paragraph) =>
      listObjects(paragraph.sentences).map((sentence) =>
        readItem({ speaker: paragraph.speaker, ...sentence }, SECONDS),
      ),
    )
  })
}

/** Words last hundreds of milliseconds, and seldom a whole number of seconds. */
function unitOf(items: JsonObject[]): TimeUnit {
  const times = items.flatMap(({ start, end }) => [start, end]).filter((time) => typeof time === 'number')
  return times.length > 0 && times.every(Number.isInteger) && Math.max(...times.slice(-100)) > 100 * items.length
    ? MILLISECONDS
    : SECONDS
}

const readUtterances: Shape = ({ utterances, words }) => {
  const items = listObjects(utterances)
  if (items.length > 0)
    return readItems(items, unitOf([...items, ...items.flatMap((item) => listObjects(item.words)).slice(0, 50)]))
  return listObjects(words).length > 0 ? joinWords(listObjects(words), unitOf(listObjects(words))) : null
}

/** The programs that come with Whisper models. */
const readWhisperPrograms: Shape = ({ transcription, chunks }) => {
  if (Array.isArray(transcription)) {
    return listObjects(transcription).map((item) => ({
      startMs: timeOf({ from: memberOf(item, 'offsets', 'from') }, ['from'], MILLISECONDS),
      endMs: timeOf({ to: memberOf(item, 'offsets', 'to') }, ['to'], MILLISECONDS),
      text: textOf(item),
    }))
  }
  if (!Array.isArray(chunks)) return null
  return listObjects(chunks).map((item) => {
    const [start, end] = Array.isArray(item.timestamp) ? item.timestamp : []
    return readItem({ text: item.text, start, end }, SECONDS)
  })
}

/** Whisper, WhisperX, Podcasting 2.0, Podlove, and what Subtext exports. */
const readSegments: Shape = ({ segments, transcripts }) => readItems(segments ?? transcripts, SECONDS)

const SHAPES = [readSegments, readMonologues, readAmazon, readDeepgram, readWhisperPrograms, readUtterances]
/** Where services put the transcript in their answer. */
const WRAPPERS = [
  [],
  ['transcript'],
  ['data', 'transcript'],
  ['data'],
  ['result', 'transcription'],
  ['result'],
  ['output'],
]

function findItems(document: unknown): TimedItem[] | null {
  if (Array.isArray(document)) return listObjects(document).length > 0 ? readItems(document, SECONDS) : null
  for (const path of WRAPPERS) {
    const part = memberOf(document, ...path)
    const items = Array.isArray(part) ? readItems(part, SECONDS) : null
    if (items) return items
    if (!isObject(part)) continue
    for (const read of SHAPES) {
      const found = read(part)
      if (found) return found
    }
  }
  return null
}

const POSITION = /position (\d+)/

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, position = text.length] = POSITION.exec((error as Error).message) ?? []
    const line = lineAt(text, Number(position))
    throw new UnreadableCaptionsError('unknown_format', `The captions are not valid JSON (line ${line}).`, line)
  }
}

const LANGUAGES = ['language', 'language_code', 'detected_language']

function findLanguage(document: unknown): string | undefined {
  const found = LANGUAGES.map((name) => memberOf(document, name)).find((value) => typeof value === 'string')
  return typeof found === 'string' && /^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(found)
    ? found.replaceAll('_', '-')
    : undefined
}

const hasStart = (item: TimedItem): item is RawCue => item.startMs !== null

/** Reads the JSON of speech services. Words without a time of their own are text of the segment that has them. */
export function readJson(text: string): RawCaptions {
  const document = parse(text)
  if (isObject(document) && Array.isArray(document.events)) {
    const cues = parseJson3(text).map(({ startMs, durationMs, text: words }) => ({
      startMs,
      endMs: startMs + durationMs,
      text: words,
    }))
    return { cues }
  }
  const items = findItems(document)
  if (!items) {
    throw new UnreadableCaptionsError('unknown_format', 'The JSON has no list of segments, utterances or words.')
  }
  refuseTooMany(items.length)
  const cues = items.filter(hasStart)
  if (cues.length === 0 && items.some((item) => item.text.trim() !== '')) {
    throw new UnreadableCaptionsError('no_times', 'The segments of the JSON have no times.')
  }
  return { cues, language: findLanguage(document) }
}
