import type { FindStems } from '../language/find-stems.ts'
import { countShared } from '../language/shared-stems.ts'
import type { Check } from './check.ts'

/**
 * The share of a claim's words that the cited segments must contain. For a long claim the share is smaller, but not the number
 * of words.
 */
const MIN_SHARE = 0.2
const MIN_SHARE_OF_LONG = 0.1
const ENOUGH_WORDS = 5

const minSharedWords = (words: number): number =>
  Math.max(1, Math.ceil(words * MIN_SHARE_OF_LONG), Math.min(ENOUGH_WORDS, Math.ceil(words * MIN_SHARE)))

/** Tells whether lines share enough words with a claim that may condense minutes of speech. */
export function sharesEnough(findStems: FindStems, claim: string, lines: string): boolean {
  const stems = findStems(claim)
  // The claim has only stop words, or digits in another script, so there is nothing to compare.
  return stems.size === 0 || countShared(stems, findStems(lines)) >= minSharedWords(stems.size)
}

/**
 * The share of the words of a statement that the segments it rests on, and those beside them, have to say. A claim of a
 * summary condenses minutes of speech and may share less; an answer is told to keep to the words of its lines.
 */
const MIN_SHARE_OF_ANSWER = 0.4
/** A single word makes a statement of so few words another one: "the Moon is made of cheese". All of them have to be said. */
const MAX_WORDS_OF_SHORT = 3
/** A longer run of unsaid words is a statement of its own, even if the words around it are said. */
const MAX_UNSAID_IN_A_ROW = 4

/** Returns whether enough of the words of a text are said. A text without words has nothing to check. */
function isMostlySaid(text: string, lines: string, findStems: FindStems): boolean {
  const stems = findStems(text)
  const said = findStems(lines)
  let shared = 0
  let unsaidInARow = 0
  for (const stem of stems) {
    unsaidInARow = said.has(stem) ? 0 : unsaidInARow + 1
    if (unsaidInARow === 0) shared++
    if (unsaidInARow > MAX_UNSAID_IN_A_ROW) return false
  }
  return shared > 0 && shared >= stems.size * (stems.size > MAX_WORDS_OF_SHORT ? MIN_SHARE_OF_ANSWER : 1)
}

/** Creates the check that the lines say most words of a sentence, as an answer keeps to them. */
export const createWordCheck = (findStems: FindStems): Check => ({
  reason: 'unsupported',
  isPassed: (sentence, { near }) => isMostlySaid(sentence, near, findStems),
})
