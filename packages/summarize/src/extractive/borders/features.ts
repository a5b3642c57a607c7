import type { Word } from './words.ts'

/** The words of a run as numbers: whole, by their last letters, and by their first ones. */
export interface HashedWords {
  whole: Int32Array
  endings: Int32Array
  beginnings: Int32Array
}

/** Words beyond the ends of the run that a feature may look at. */
const MARGIN = 3
const ENDING_CHARS = 3
const BEGINNING_CHARS = 2

function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash ^ (hash >>> 15)
}

/** Nobody has seen most numbers before, but many of their kind. */
const withoutDigits = (text: string): string => text.replace(/\p{Nd}+/gu, '0')

export function hashWords(words: readonly Pick<Word, 'text'>[]): HashedWords {
  const size = words.length + 2 * MARGIN
  const hashed = { whole: new Int32Array(size), endings: new Int32Array(size), beginnings: new Int32Array(size) }
  for (const [i, { text: written }] of words.entries()) {
    const text = withoutDigits(written)
    hashed.whole[i + MARGIN] = hashText(text)
    hashed.endings[i + MARGIN] = hashText(text.slice(-ENDING_CHARS))
    hashed.beginnings[i + MARGIN] = hashText(text.slice(0, BEGINNING_CHARS))
  }
  return hashed
}

function mix(kind: number, one: number, two: number, three: number): number {
  let hash = Math.imul(kind + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ one, 0x85ebca6b)
  hash = Math.imul((hash ^ (hash >>> 13)) + two, 0xc2b2ae35)
  hash = Math.imul((hash ^ (hash >>> 16)) + three, 0x27d4eb2f)
  return (hash ^ (hash >>> 15)) >>> 0
}

export const FEATURES = 21

/**
 * Writes the features of the gap after word `index` to `found`: what stands before and behind it, by one to three words and
 * by the beginnings and endings of words, which say more than a word that nobody has seen before.
 */
export function findFeatures({ whole, endings, beginnings }: HashedWords, index: number, found: Uint32Array): void {
  const i = index + MARGIN
  const [a, b, c] = [whole[i - 2] ?? 0, whole[i - 1] ?? 0, whole[i] ?? 0]
  const [d, e, f] = [whole[i + 1] ?? 0, whole[i + 2] ?? 0, whole[i + 3] ?? 0]
  const [ending, nextEnding] = [endings[i] ?? 0, endings[i + 1] ?? 0]
  found[0] = mix(0, c, 0, 0)
  found[1] = mix(1, d, 0, 0)
  found[2] = mix(2, b, 0, 0)
  found[3] = mix(3, e, 0, 0)
  found[4] = mix(4, b, c, 0)
  found[5] = mix(5, c, d, 0)
  found[6] = mix(6, d, e, 0)
  found[7] = mix(7, b, c, d)
  found[8] = mix(8, c, d, e)
  found[9] = mix(9, a, 0, 0)
  found[10] = mix(10, d, e, f)
  found[11] = mix(11, a, b, c)
  found[12] = mix(12, ending, 0, 0)
  found[13] = mix(13, nextEnding, 0, 0)
  found[14] = mix(14, ending, d, 0)
  found[15] = mix(15, ending, nextEnding, 0)
  found[16] = mix(16, endings[i - 1] ?? 0, ending, 0)
  found[17] = mix(17, beginnings[i + 1] ?? 0, 0, 0)
  found[18] = mix(18, beginnings[i + 1] ?? 0, ending, 0)
  found[19] = mix(19, nextEnding, endings[i + 2] ?? 0, 0)
  found[20] = mix(20, f, 0, 0)
}
