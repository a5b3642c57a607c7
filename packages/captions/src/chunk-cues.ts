import type { Cue } from '@subtext/contracts'

/** Copying a chunk from one thread to another takes a few milliseconds. */
const MAX_CHUNK_CUES = 1_000
const MAX_CHUNK_CHARS = 500_000

/** Splits cues into chunks that are small enough to be copied without blocking either thread. */
export function* chunkCues(cues: Cue[]): Generator<Cue[]> {
  let chunk: Cue[] = []
  let chars = 0
  for (const cue of cues) {
    if (chunk.length === MAX_CHUNK_CUES || chars >= MAX_CHUNK_CHARS) {
      yield chunk
      chunk = []
      chars = 0
    }
    chunk.push(cue)
    chars += cue.text.length
  }
  if (chunk.length > 0) yield chunk
}
