import type { Cue } from '@subtext/contracts'
import { createCueList } from './cue-list.ts'
import { cueMilliseconds } from './cue-time.ts'
import { parseElements } from './json-elements.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads a time, which is a number or, in some responses, a string. */
const milliseconds = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' ? cueMilliseconds(number) : null
}

const segmentText = (segment: unknown): string =>
  isRecord(segment) && typeof segment.utf8 === 'string' ? segment.utf8 : ''

/**
 * Parses a timed-text document in the platform's `json3` format: `{events:[{tStartMs, dDurationMs?, segs?:[{utf8}]}]}`.
 * Texts are returned as written, line breaks included. Events without text (windows, styles, appended line breaks) are
 * skipped; a missing start or duration is 0. An empty result means that the platform withheld the track.
 * Throws `SyntaxError` when the text is truncated or not JSON, `RangeError` when it needs more memory than any real track.
 */
export const parseJson3 = (text: string): Cue[] => {
  if (text.trim() === '') return []
  const { cues, add } = createCueList()
  const document = parseElements(text, 'events', (event) => {
    if (!isRecord(event) || !Array.isArray(event.segs)) return
    const startMs = milliseconds(event.tStartMs ?? 0)
    add(startMs, milliseconds(event.dDurationMs) ?? 0, event.segs.map(segmentText).join(''))
  })
  return isRecord(document) && Array.isArray(document.events) ? cues : []
}
