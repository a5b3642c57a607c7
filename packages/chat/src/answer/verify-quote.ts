import type { Cue } from '@subtext/contracts'

/** A quotation of fewer letters could stand in many lines. Letters of scripts with many letters say more. */
const MIN_LETTERS = 8
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu
const DENSE_WEIGHT = 2
const NOT_A_LETTER = /[^\p{L}\p{M}\p{N}]+/gu

/** Returns the letters of a text alone: spelling of spaces and punctuation makes no difference. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().replace(NOT_A_LETTER, '')

const weigh = (letters: string): number => letters.length + (letters.match(DENSE)?.length ?? 0) * (DENSE_WEIGHT - 1)

/**
 * Returns the segment (from 1) in which a quotation stands word for word: the named one or one beside it. A quotation across
 * a border counts for the named one. Null: it stands in none, or is too short to tell.
 */
export function findQuoted(cues: Cue[], id: number, quote: string): number | null {
  const wanted = fold(quote)
  const textOf = (near: number): string => fold(cues[near - 1]?.text ?? '')
  if (wanted === '') return null
  if (wanted === textOf(id)) return id
  if (weigh(wanted) < MIN_LETTERS) return null
  const place = [id, id - 1, id + 1].find((near) => textOf(near).includes(wanted))
  if (place !== undefined) return place
  return [id - 1, id, id + 1].map(textOf).join('').includes(wanted) ? id : null
}
