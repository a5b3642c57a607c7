import { readCaptions } from '@subtext/captions'
import type { Cue } from '@subtext/contracts'
import type { ReadCaptions } from '@subtext/youtube'
import type { ThreadPool } from './pool.ts'

/** Up to here reading takes less than 30 ms, and a thread half a second to start. */
const MOST_HERE_BYTES = 2_000_000

/** A piece may be a window of something larger, all of which would go along. */
function* copy(body: Uint8Array[]): Generator<Uint8Array> {
  for (const piece of body) yield new Uint8Array(piece)
}

/** Reads small tracks here and large ones in a thread. */
export const createCaptionReader =
  (threads: ThreadPool, mostHereBytes = MOST_HERE_BYTES): ReadCaptions =>
  async (body, order, signal) => {
    const bytes = body.reduce((sum, piece) => sum + piece.byteLength, 0)
    if (bytes <= mostHereBytes) return readCaptions(body, order)
    const parts: Cue[][] = []
    const onOutput = (part: Cue[]): void => void parts.push(part)
    const rest = await threads.run('captions', { order, input: copy(body), onOutput, signal })
    return { ...rest, cues: parts.flat() }
  }
