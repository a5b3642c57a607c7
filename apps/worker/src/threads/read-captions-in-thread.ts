import { readCaptions } from '@subtext/captions'
import type { Cue } from '@subtext/contracts'
import type { ReadCaptions } from '@subtext/youtube'
import type { Threads } from './open-threads.ts'

/** Reading this much takes less than 30 ms; starting a thread takes half a second. */
const MAX_INLINE_BYTES = 2_000_000

/** Copies each chunk: it may be a view of a larger buffer, all of which would be sent along. */
function* copyChunks(body: Uint8Array[]): Generator<Uint8Array> {
  for (const chunk of body) yield new Uint8Array(chunk)
}

/** Reads small tracks on the calling thread and large ones in a thread of the pool. */
export const createThreadedCaptionReader =
  (threads: Threads, maxInlineBytes = MAX_INLINE_BYTES): ReadCaptions =>
  async (body, options, signal) => {
    const bytes = body.reduce((sum, chunk) => sum + chunk.byteLength, 0)
    if (bytes <= maxInlineBytes) return readCaptions(body, options)
    const chunks: Cue[][] = []
    const onOutput = (chunk: Cue[]): void => void chunks.push(chunk)
    const rest = await threads.run('captions', { options, input: copyChunks(body), onOutput, signal })
    return { ...rest, cues: chunks.flat() }
  }
