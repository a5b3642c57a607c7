import { FEATURES, findFeatures, type HashedWords } from './features.ts'

/** Every slot holds the most telling of the features that fall into it: a byte that recognizes it, and its weight. */
export const SLOTS = 131_000
/** The lengths of sentences in words that have a weight of their own; longer ones have that of the longest. */
export const LENGTHS = 34
const HEADER_BYTES = 4 * (2 + LENGTHS)

export interface Weights {
  /** The log-odds of one step of a weight. */
  scale: number
  /** The log-odds of a border where nothing is known. */
  bias: number
  /** Log-odds of a sentence of 1, 2, 3... words, compared with one that could end after every word alike. */
  lengths: Float32Array
  /** Pairs of a recognizing byte and a weight. */
  slots: Int8Array
}

export const slotOf = (feature: number): number => feature % SLOTS
/** Never 0, which marks an empty slot. */
export const markOf = (feature: number): number => (Math.floor(feature / SLOTS) % 255) + 1

export function encodeWeights({ scale, bias, lengths, slots }: Weights): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + slots.length)
  const header = new DataView(bytes.buffer)
  for (const [i, value] of [scale, bias, ...lengths].entries()) header.setFloat32(4 * i, value, true)
  bytes.set(new Uint8Array(slots.buffer, slots.byteOffset, slots.length), HEADER_BYTES)
  return bytes
}

export function decodeWeights(bytes: Uint8Array): Weights {
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const lengths = Float32Array.from({ length: LENGTHS }, (_, i) => header.getFloat32(4 * (i + 2), true))
  const slots = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, 2 * SLOTS)
  return { scale: header.getFloat32(0, true), bias: header.getFloat32(4, true), lengths, slots }
}

const found = new Uint32Array(FEATURES)

/** Returns the log-odds that a sentence ends after each word. */
export function rateGaps({ scale, bias, slots }: Weights, words: HashedWords, count: number): Float64Array {
  const odds = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    findFeatures(words, i, found)
    let sum = 0
    for (const feature of found) {
      const slot = 2 * slotOf(feature)
      if (((slots[slot] ?? 0) & 255) === markOf(feature)) sum += slots[slot + 1] ?? 0
    }
    odds[i] = bias + scale * sum
  }
  return odds
}
