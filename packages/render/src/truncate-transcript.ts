import type { Cue } from '@subtext/contracts'
import { measureMarkdownText } from './data.ts'

const LINE_BREAK_BYTES = 1
/** A cue that begins a paragraph follows two line breaks, and Markdown escapes some characters with a backslash. */
const MAX_MARKDOWN_FACTOR = 2

/**
 * Returns the leading cues that fit into `maxBytes` of UTF-8, both as plain text with one byte between cues and as the
 * Markdown of the result. Always keeps the first cue.
 */
export async function truncateTranscript(cues: Cue[], maxBytes: number, pace: () => Promise<void>): Promise<Cue[]> {
  let bytes = 0
  const firstExcess = cues.findIndex((cue, index) => {
    bytes += Buffer.byteLength(cue.text) + (index > 0 ? LINE_BREAK_BYTES : 0)
    return bytes > maxBytes
  })
  if (firstExcess < 0 && bytes * MAX_MARKDOWN_FACTOR <= maxBytes) return cues
  let kept = cues.slice(0, firstExcess < 0 ? cues.length : Math.max(1, firstExcess))
  for (let excess = (await measureMarkdownText(kept, pace)) - maxBytes; excess > 0 && kept.length > 1; ) {
    kept = dropLast(kept, excess)
    excess = (await measureMarkdownText(kept, pace)) - maxBytes
  }
  return kept.length === cues.length ? cues : kept
}

function dropLast(cues: Cue[], bytes: number): Cue[] {
  let count = cues.length
  for (let dropped = 0; dropped < bytes && count > 1; ) {
    count--
    dropped += Buffer.byteLength(cues[count]?.text ?? '') + LINE_BREAK_BYTES
  }
  return cues.slice(0, count)
}
