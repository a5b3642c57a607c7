import { scanMarkup } from '../formats/scan-markup.ts'
import { roundMilliseconds } from './clock.ts'
import { type RawCaptions, type RawCue, refuseTooMany } from './raw-cue.ts'

const START = /\bstart\s{0,8}=\s{0,8}["']?\s{0,8}(\d{1,12})/i
const CLASS = /\bclass\s{0,8}=\s{0,8}["']?([\w-]{1,40})/i
const IGNORED = new Set(['style', 'head', 'title', 'samiparam'])

/**
 * Reads SAMI. A cue lasts until the next `SYNC`, which may be empty. Of a file with several languages, the first is read.
 */
export function readSami(document: string): RawCaptions {
  const cues: RawCue[] = []
  let ignored = ''
  let startMs: number | null = null
  let text = ''
  let language: string | undefined
  let isOther = false
  const close = (endMs: number | null): void => {
    if (startMs !== null) cues.push({ startMs, endMs, text })
    refuseTooMany(cues.length)
    text = ''
  }
  scanMarkup(document, {
    open(tag, attributes) {
      const name = tag.toLowerCase()
      if (IGNORED.has(name)) ignored ||= name
      else if (name === 'br') text += '\n'
      else if (name === 'p') {
        const [, spoken] = CLASS.exec(attributes) ?? []
        language ??= spoken
        isOther = spoken !== undefined && spoken !== language
      } else if (name === 'sync') {
        const next = roundMilliseconds(Number(START.exec(attributes)?.[1] ?? Number.NaN))
        if (next === null) return
        if (next !== startMs) close(next)
        startMs = next
      }
    },
    close(tag) {
      if (tag.toLowerCase() === ignored) ignored = ''
    },
    text(raw) {
      if (ignored === '' && startMs !== null && !isOther) text += raw
    },
  })
  close(null)
  return { cues }
}
