import { scanTtml } from '../formats/ttml.ts'
import { type RawCaptions, type RawCue, refuseTooMany } from './raw-cue.ts'

const LANGUAGE =
  /<(?:[\w-]{1,20}:)?tt\s[^>]{0,4000}xml:lang\s{0,8}=\s{0,8}["']([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)["']/

/** Reads TTML (DFXP). A paragraph without times is shown from the beginning, as the format defines. */
export function readTtml(document: string): RawCaptions {
  const cues: RawCue[] = []
  scanTtml(document, ({ startMs, endMs, durationMs, text }) => {
    const start = startMs ?? 0
    cues.push({ startMs: start, endMs: durationMs === null ? (endMs ?? start) : start + durationMs, text })
    refuseTooMany(cues.length)
  })
  return { cues, language: LANGUAGE.exec(document.slice(0, 20_000))?.[1] }
}
