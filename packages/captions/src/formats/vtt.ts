import type { Cue } from '@subtext/contracts'
import { cueMilliseconds } from './cue-time.ts'

const CLOCK = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{3})`
// https://www.w3.org/TR/webvtt1/#webvtt-cue-timings-and-settings-block; SubRip files differ in the decimal comma.
const TIMING = new RegExp(String.raw`^\s{0,8}${CLOCK}\s{1,8}-->\s{1,8}${CLOCK}(?:\s|$)`)

const clockMs = (hours = '0', minutes = '0', seconds = '0', rest = '0'): number | null =>
  cueMilliseconds(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest))

const parseTiming = (line: string): { startMs: number; durationMs: number } | null => {
  if (!line.includes('-->')) return null
  const parts = TIMING.exec(line)
  if (!parts) return null
  const [startMs, endMs] = [clockMs(...parts.slice(1, 5)), clockMs(...parts.slice(5, 9))]
  return startMs === null ? null : { startMs, durationMs: Math.max(0, (endMs ?? startMs) - startMs) }
}

/**
 * Parses a WebVTT or SubRip file. Works like `parseJson3`: texts are returned as written, with their tags and line breaks.
 * A line of white space does not end a cue, since the platform's rolling captions contain such lines. Notes, styles and
 * regions have no times and are skipped.
 */
export const parseVtt = (document: string): Cue[] => {
  const cues: Cue[] = []
  let cue: Cue | null = null
  const close = (): void => {
    if (cue && cue.text.trim() !== '') cues.push(cue)
    cue = null
  }
  for (const line of document.split(/\r\n|\n|\r/)) {
    const timing = parseTiming(line)
    if (timing) {
      close()
      cue = { ...timing, text: '' }
    } else if (line === '') close()
    else if (cue) cue.text += cue.text === '' ? line : `\n${line}`
  }
  close()
  return cues
}
