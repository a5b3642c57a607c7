import type { Cue } from '@subtext/contracts'
import { measureMarkdownText } from '@subtext/render'

const LINE_BREAK_BYTES = 1
/** A cue that begins a paragraph stands two line breaks away, and Markdown puts a backslash before some characters. */
const MOST_BYTES_OF_MARKDOWN = 2

/**
 * The leading cues that fit into `maxBytes` of UTF-8, both as plain texts joined by a byte each and as the Markdown that the
 * result shows; the first cue always stays.
 */
export async function cutTranscript(cues: Cue[], maxBytes: number, pace: () => Promise<void>): Promise<Cue[]> {
  let bytes = 0
  const tooLong = cues.findIndex((cue, index) => {
    bytes += Buffer.byteLength(cue.text) + (index > 0 ? LINE_BREAK_BYTES : 0)
    return bytes > maxBytes
  })
  if (tooLong < 0 && bytes * MOST_BYTES_OF_MARKDOWN <= maxBytes) return cues
  let kept = cues.slice(0, tooLong < 0 ? cues.length : Math.max(1, tooLong))
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
