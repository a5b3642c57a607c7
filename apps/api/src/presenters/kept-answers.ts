import { LRUCache } from 'lru-cache'

const MAX_KEPT_BYTES = 16 * 1024 ** 2
/** Limits how long what was deleted stays in memory. It is never sent, because each request looks up what it belongs to. */
const KEEP_MS = 600_000
const BYTES_PER_CHAR = 2

/** Returns the size of text in memory at most. */
export const bytesOf = (text: string): number => text.length * BYTES_PER_CHAR

/** Creates a store in memory for what was sent, as far as it has room. `sizeOf`: bytes. */
export const keepAnswers = <Answer extends object | string>(sizeOf: (answer: Answer) => number) =>
  new LRUCache<string, Answer>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: sizeOf,
    ttl: KEEP_MS,
    ttlAutopurge: true,
  })
