import type { Cue } from '@subtext/contracts'
import type { CitedSegment } from '../claim.ts'
import { readBeginning } from '../evidence.ts'
import { withPlainDigits } from '../numbers/plain-digits.ts'

/**
 * Returns the segments (from 1) that contain a quotation word for word: the named one, or else one beside it, or several in a
 * row if the quotation runs over their borders. The result is empty if no segment contains it, or if it is too short to tell.
 */
export type FindQuoted = (id: number, quote: string) => number[]

/**
 * Returns the segments behind a citation: none if they do not contain the words that it quotes, or if it quotes nothing and
 * `needsQuote` is set.
 */
export function resolveCitation({ id, quote }: CitedSegment, findQuoted: FindQuoted, needsQuote: boolean): number[] {
  if (quote === null) return needsQuote ? [] : [id]
  return findQuoted(id, quote)
}

/** Minimum words of a quotation, and letters of one in a script without spaces: a shorter one could be in many lines. */
const MIN_WORDS = 3
const MIN_LETTERS = 6

/** Invisible characters, the dot that is left of a Turkish capital, Arabic vowel signs and lengthened lines. */
const IGNORED = /\u0307|\u0670|[\u064B-\u065F]|[\u00AD\u0640\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu
/** Letters of scripts that do not separate words, or whose writers do not agree where to (Hangul). */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu
const NOT_A_LETTER = /[^\p{L}\p{M}\p{N}]+/gu

/**
 * Returns the words of a text with a space around each: without punctuation, in one width and case, with the digits 0 to 9.
 * Every letter of a script without spaces counts as a word.
 */
function foldWords(text: string): string {
  const plain = withPlainDigits(text).toLowerCase().replace(IGNORED, '').replace(NOT_A_LETTER, ' ')
  return ` ${plain.replace(UNSPACED, ' $& ').replace(/\s+/g, ' ').trim()} `
}

/** Tells whether folded words are enough to tell a line from others. */
function isLongEnough(words: string): boolean {
  const letters = words.match(UNSPACED)?.length ?? 0
  const others = words.replace(UNSPACED, '').match(/\S+/g)?.length ?? 0
  return letters / MIN_LETTERS + others / MIN_WORDS >= 1
}

/** As long as the longest segment: only letters that stand for whole phrases make more. */
const MAX_SPELLED = 10_000

/** Creates the search for quotations in a transcript. */
export function createQuoteFinder(cues: readonly Cue[]): FindQuoted {
  const known = new Map<number, string>()
  const wordsOf = (id: number): string => {
    const words = known.get(id) ?? foldWords(readBeginning(cues[id - 1]?.text ?? '', MAX_SPELLED))
    known.set(id, words)
    return words
  }
  return (id, quote) => {
    if (cues[id - 1] === undefined) return []
    const wanted = foldWords(quote)
    if (wanted.trim() === '') return []
    if (wanted === wordsOf(id)) return [id]
    if (!isLongEnough(wanted)) return []
    const whole = [id, id - 1, id + 1].find((near) => wordsOf(near).includes(wanted))
    if (whole !== undefined) return [whole]
    return findAcross([id - 1, id, id + 1], wordsOf, wanted)
  }
}

/** Returns the segments that a quotation spans. */
function findAcross(ids: number[], wordsOf: (id: number) => string, wanted: string): number[] {
  const spoken = ids.map((id) => ({ id, words: wordsOf(id).trim() })).filter(({ words }) => words !== '')
  const at = ` ${spoken.map(({ words }) => words).join(' ')} `.indexOf(wanted)
  if (at < 0) return []
  const last = at + wanted.length - 2
  let start = 1
  return spoken.flatMap(({ id, words }) => {
    const [from, to] = [start, start + words.length - 1]
    start = to + 2
    return from <= last && to > at ? [id] : []
  })
}
