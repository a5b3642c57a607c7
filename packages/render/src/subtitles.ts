import type { Cue } from '@subtext/contracts'
import { foldText } from './fold-text.ts'
import { inBatches, inPieces } from './in-pieces.ts'
import { parseLanguage } from './language.ts'
import type { RenderableResult } from './renderable-result.ts'

/** A cue as players expect it: with text, and hidden before the next one is shown. */
interface Subtitle {
  /** Position of the cue in the transcript, starting at 1. Citations refer to it. */
  id: number
  startMs: number
  endMs: number
  /** One line, not empty. */
  text: string
  speaker: string | undefined
}

/** Cues with the same start that are kept in memory together; a track with more would have to be kept as a whole. */
const MAX_SIMULTANEOUS = 100

/** Cues that start at the same time are shown together. A cue without a duration gets the shortest one that can be written. */
async function* buildSubtitles(cues: AsyncIterable<Cue[]>): AsyncGenerator<Subtitle[], void, undefined> {
  let waiting: Subtitle[] = []
  let position = 0
  for await (const batch of inBatches(cues)) {
    const ready: Subtitle[] = []
    for (const { startMs, durationMs, text, speaker } of batch) {
      position++
      const line = foldText(text)
      if (line === '') continue
      const shownMs = waiting[0]?.startMs
      if (shownMs !== startMs || waiting.length === MAX_SIMULTANEOUS) {
        if (shownMs !== undefined && shownMs < startMs) clip(waiting, startMs)
        ready.push(...waiting)
        waiting = []
      }
      waiting.push({ id: position, startMs, endMs: startMs + Math.max(1, durationMs), text: line, speaker })
    }
    yield ready
  }
  yield waiting
}

const clip = (subtitles: Subtitle[], endMs: number): void => {
  for (const subtitle of subtitles) subtitle.endMs = Math.min(subtitle.endMs, endMs)
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** Formats `hh:mm:ss` with milliseconds after `mark`. Hours can have more than two digits. */
const formatTime = (ms: number, mark: ',' | '.'): string => {
  const seconds = Math.floor(ms / 1000)
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}`
  return `${clock}:${twoDigits(seconds % 60)}${mark}${String(ms % 1000).padStart(3, '0')}`
}

const writeCue = ({ id, startMs, endMs }: Subtitle, mark: ',' | '.', text: string): string =>
  `${id}\n${formatTime(startMs, mark)} --> ${formatTime(endMs, mark)}\n${text}\n\n`

/** An invisible character that allows no line break. */
const WORD_JOINER = '\u2060'

/**
 * SubRip has no escapes, and players read `<i>`, `{\an8}` and `-->` as markup. Inserting an invisible character
 * into each of them prevents that.
 */
const escapeSrt = (text: string): string =>
  text.replace(/<(?=[a-z/!?])|\{(?=\\)|--(?=>)/gi, (mark) => `${mark}${WORD_JOINER}`)

const VTT_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeVtt = (text: string): string => text.replace(/[&<>]/g, (char) => VTT_ENTITIES[char] ?? char)

const voiceOf = ({ speaker }: Subtitle): string =>
  speaker === undefined || foldText(speaker) === '' ? '' : `<v ${escapeVtt(foldText(speaker))}>`

async function* writeSrt(result: RenderableResult): AsyncGenerator<string> {
  for await (const subtitles of buildSubtitles(result.cues())) {
    yield subtitles.map((subtitle) => writeCue(subtitle, ',', escapeSrt(subtitle.text))).join('')
  }
}

async function* writeVtt(result: RenderableResult): AsyncGenerator<string> {
  const language = parseLanguage(result.track.language)
  // WebVTT has no header fields, but allows free text after the signature on the first line.
  yield language ? `WEBVTT Language: ${language.tag}\n\n` : 'WEBVTT\n\n'
  for await (const subtitles of buildSubtitles(result.cues())) {
    yield subtitles.map((subtitle) => writeCue(subtitle, '.', voiceOf(subtitle) + escapeVtt(subtitle.text))).join('')
  }
}

/** Yields the transcript as SubRip subtitles in pieces, with each cue on one line. */
export const renderSrt = (result: RenderableResult): AsyncIterable<string> => inPieces(writeSrt(result))

/** Yields the transcript as WebVTT (https://www.w3.org/TR/webvtt1/) in pieces, with each cue on one line. */
export const renderVtt = (result: RenderableResult): AsyncIterable<string> => inPieces(writeVtt(result))
