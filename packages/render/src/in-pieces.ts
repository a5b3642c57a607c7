import { setImmediate as nextTurn } from 'node:timers/promises'
import { alignToPair } from './fold-text.ts'

/** UTF-16 units: 32 KB of ASCII, at most 96 KB of UTF-8. */
const PIECE_CHARS = 32_768
const BATCH_CUES = 200

/** The same text in pieces of an even size, with a turn of the event loop after each so that others are served. */
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

/** Bounds the work on one part, also for a caller that holds all cues and gives them as a single one. */
export async function* inBatches<Item>(parts: AsyncIterable<Item[]>): AsyncGenerator<Item[], void, undefined> {
  for await (const part of parts) {
    if (part.length <= BATCH_CUES) yield part
    else for (let at = 0; at < part.length; at += BATCH_CUES) yield part.slice(at, at + BATCH_CUES)
  }
}
