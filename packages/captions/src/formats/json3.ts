import type { Cue } from '@subtext/contracts'
import { cueMilliseconds } from './cue-time.ts'
import { checkJsonDepth } from './json-depth.ts'

/** The format has five levels. */
const MAX_DEPTH = 64

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads a time, which is a number or, in some responses, a string. */
const milliseconds = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' ? cueMilliseconds(number) : null
}

const segmentText = (segment: unknown): string =>
  isRecord(segment) && typeof segment.utf8 === 'string' ? segment.utf8 : ''

const eventCue = (event: unknown): Cue | null => {
  if (!isRecord(event) || !Array.isArray(event.segs)) return null
  const startMs = milliseconds(event.tStartMs ?? 0)
  if (startMs === null) return null
  const text = event.segs.map(segmentText).join('')
  return text.trim() === '' ? null : { startMs, durationMs: milliseconds(event.dDurationMs) ?? 0, text }
}

/**
 * Parses a timed-text document in the platform's `json3` format: `{events:[{tStartMs, dDurationMs?, segs?:[{utf8}]}]}`.
 * Texts are returned as written, line breaks included. Events without text (windows, styles, appended line breaks) are
 * skipped; a missing start or duration is 0. An empty result means that the platform withheld the track.
 * Throws `RangeError` when the text is nested too deeply, `SyntaxError` when the text is truncated or not JSON.
 */
export const parseJson3 = (text: string): Cue[] => {
  if (text.trim() === '') return []
  checkJsonDepth(text, MAX_DEPTH)
  const document: unknown = JSON.parse(text)
  if (!isRecord(document) || !Array.isArray(document.events)) return []
  return document.events.map(eventCue).filter((cue) => cue !== null)
}
