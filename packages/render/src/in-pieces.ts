import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cue } from '@subtext/contracts'
import { alignToPair } from './fold-text.ts'

/** UTF-16 code units: 32 KB of ASCII, at most 96 KB of UTF-8. */
const PIECE_CHARS = 32_768
const BATCH_CUES = 200
const BATCH_CHARS = 32_768

/** Yields the same text in pieces of equal size, and lets the event loop run after each, so that other requests are served. */
export async function* inPieces(source: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const text of source) {
    rest += text
    let start = 0
    while (rest.length - start > PIECE_CHARS) {
      const end = alignToPair(rest, start + PIECE_CHARS)
      yield rest.slice(start, end)
      await nextTurn()
      start = end
    }
    rest = rest.slice(start)
  }
  if (rest !== '') yield rest
}

/**
 * Yields the cues in small batches and lets the event loop run between them. Without it, the parts are as large as the store
 * or a caller makes them, and with many readers at once, each waits for the work of all.
 */
export async function* inBatches(parts: AsyncIterable<Cue[]>): AsyncGenerator<Cue[], void, undefined> {
  for await (const part of parts) {
    for (let from = 0, to = 0; from < part.length; from = to) {
      if (from > 0) await nextTurn()
      to = endOfBatch(part, from)
      yield from === 0 && to === part.length ? part : part.slice(from, to)
    }
  }
}

const endOfBatch = (cues: Cue[], from: number): number => {
  const limit = Math.min(cues.length, from + BATCH_CUES)
  let chars = 0
  for (let at = from; at < limit; at++) {
    chars += cues[at]?.text.length ?? 0
    if (chars >= BATCH_CHARS) return at + 1
  }
  return limit
}
