import type { Cue } from '@subtext/contracts'

const LINE_BREAK_BYTES = 1

/** The leading cues whose texts, joined by a byte each, fit into `maxBytes` of UTF-8; the first cue always stays. */
export function cutTranscript(cues: Cue[], maxBytes: number): Cue[] {
  let bytes = 0
  const kept = cues.findIndex((cue, index) => {
    bytes += Buffer.byteLength(cue.text) + (index > 0 ? LINE_BREAK_BYTES : 0)
    return bytes > maxBytes
  })
  return kept < 0 ? cues : cues.slice(0, Math.max(1, kept))
}
