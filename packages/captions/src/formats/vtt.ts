import type { Cue } from '@subtext/contracts'
import { appendRaw, createCueList, MAX_RAW_LENGTH } from './cue-list.ts'
import { cueMilliseconds } from './cue-time.ts'

const CLOCK = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`
// https://www.w3.org/TR/webvtt1/#webvtt-cue-timings-and-settings-block; SubRip files differ in the decimal comma.
const TIMING = new RegExp(String.raw`^\s{0,8}${CLOCK}\s{1,8}-->\s{1,8}${CLOCK}(?:\s|$)`)

const clockMs = (hours = '0', minutes = '0', seconds = '0', rest = '0'): number | null =>
  cueMilliseconds(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0')))

const parseTiming = (line: string): { startMs: number; durationMs: number } | null => {
  if (!line.includes('-->')) return null
  const parts = TIMING.exec(line)
  if (!parts) return null
  const [startMs, endMs] = [clockMs(...parts.slice(1, 5)), clockMs(...parts.slice(5, 9))]
  return startMs === null ? null : { startMs, durationMs: Math.max(0, (endMs ?? startMs) - startMs) }
}

/** Yields the lines of a text one by one: the list of all of them may need far more memory than the text. */
function* readLines(text: string): Generator<string> {
  const lineEnd = /\r\n|\n|\r/g
  let start = 0
  for (let found = lineEnd.exec(text); found; found = lineEnd.exec(text)) {
    yield text.slice(start, found.index)
    start = lineEnd.lastIndex
  }
  yield text.slice(start)
}

/**
 * Parses a WebVTT or SubRip file. Works like `parseJson3`: texts are returned as written, with their tags and line breaks.
 * A line of white space does not end a cue, since the platform's rolling captions contain such lines. Notes, styles and
 * regions have no times and are skipped.
 */
export const parseVtt = (document: string): Cue[] => {
  const { cues, add } = createCueList()
  let cue: Cue | null = null
  const close = (): void => {
    if (cue) add(cue.startMs, cue.durationMs, cue.text)
    cue = null
  }
  for (const line of readLines(document)) {
    const timing = parseTiming(line)
    if (timing) {
      close()
      cue = { ...timing, text: '' }
    } else if (line === '') close()
    else if (cue) cue.text = appendRaw(cue.text, (cue.text === '' ? line : `\n${line}`).slice(0, MAX_RAW_LENGTH))
  }
  close()
  return cues
}
