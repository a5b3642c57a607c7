import type { Cue } from '@subtext/contracts'
import { foldText } from './fold-text.ts'
import { inBatches, inPieces } from './in-pieces.ts'
import { parseLanguage } from './language.ts'
import type { RenderableResult } from './renderable-result.ts'

/** A cue as players want it: with words, and away before the next one comes. */
interface Subtitle {
  /** Position of the cue in the transcript, from 1; citations refer to it. */
  id: number
  startMs: number
  endMs: number
  /** One line, not empty. */
  text: string
}

/** More at one moment are no subtitles, but a track that wants to be held in memory whole. */
const MOST_AT_ONCE = 100

/** Cues that start at the same moment share the screen; a cue without a duration lasts as short as can be written. */
async function* buildSubtitles(cues: AsyncIterable<Cue[]>): AsyncGenerator<Subtitle[], void, undefined> {
  let waiting: Subtitle[] = []
  let position = 0
  for await (const batch of inBatches(cues)) {
    const ready: Subtitle[] = []
    for (const { startMs, durationMs, text } of batch) {
      position++
      const line = foldText(text)
      if (line === '') continue
      const shownMs = waiting[0]?.startMs
      if (shownMs !== startMs || waiting.length === MOST_AT_ONCE) {
        if (shownMs !== undefined && shownMs < startMs) clip(waiting, startMs)
        ready.push(...waiting)
        waiting = []
      }
      waiting.push({ id: position, startMs, endMs: startMs + Math.max(1, durationMs), text: line })
    }
    yield ready
  }
  yield waiting
}

const clip = (subtitles: Subtitle[], endMs: number): void => {
  for (const subtitle of subtitles) subtitle.endMs = Math.min(subtitle.endMs, endMs)
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** `hh:mm:ss` with thousandths after `mark`; hours grow beyond two digits. */
const formatTime = (ms: number, mark: ',' | '.'): string => {
  const seconds = Math.floor(ms / 1000)
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}`
  return `${clock}:${twoDigits(seconds % 60)}${mark}${String(ms % 1000).padStart(3, '0')}`
}

const writeCue = ({ id, startMs, endMs }: Subtitle, mark: ',' | '.', text: string): string =>
  `${id}\n${formatTime(startMs, mark)} --> ${formatTime(endMs, mark)}\n${text}\n\n`

/** Joins what stands around it and shows nothing itself. */
const WORD_JOINER = '\u2060'

/**
 * SubRip has no escapes, and players take `<i>`, `{\an8}` and `-->` for markup: the pair of characters that begins such
 * a thing is parted, invisibly.
 */
const escapeSrt = (text: string): string =>
  text.replace(/<(?=[a-z/!?])|\{(?=\\)|--(?=>)/gi, (mark) => `${mark}${WORD_JOINER}`)

const VTT_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeVtt = (text: string): string => text.replace(/[&<>]/g, (char) => VTT_ENTITIES[char] ?? char)

async function* writeSrt(result: RenderableResult): AsyncGenerator<string> {
  for await (const subtitles of buildSubtitles(result.cues())) {
    yield subtitles.map((subtitle) => writeCue(subtitle, ',', escapeSrt(subtitle.text))).join('')
  }
}

async function* writeVtt(result: RenderableResult): AsyncGenerator<string> {
  const language = parseLanguage(result.track.language)
  // WebVTT knows no header fields; what follows the signature on its line is free text.
  yield language ? `WEBVTT Language: ${language.tag}\n\n` : 'WEBVTT\n\n'
  for await (const subtitles of buildSubtitles(result.cues())) {
    yield subtitles.map((subtitle) => writeCue(subtitle, '.', escapeVtt(subtitle.text))).join('')
  }
}

/** The transcript as SubRip subtitles, each cue on one line; in pieces. */
export const renderSrt = (result: RenderableResult): AsyncIterable<string> => inPieces(writeSrt(result))

/** The transcript as WebVTT (https://www.w3.org/TR/webvtt1/), each cue on one line; in pieces. */
export const renderVtt = (result: RenderableResult): AsyncIterable<string> => inPieces(writeVtt(result))
