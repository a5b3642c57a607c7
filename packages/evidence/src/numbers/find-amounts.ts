import { languageOf } from '@subtext/captions'
import type { FindAmounts } from './amount.ts'
import { findNumberWords } from './number-words.ts'
import { groupMarkOf } from './read-digits.ts'
import { listScales } from './scales.ts'
import { findSpaced } from './spaced-amounts.ts'
import { findUnspaced } from './unspaced-amounts.ts'

const known = new Map<string, FindAmounts>()

/** Creates the search for the numbers of a language. Where its number words are not known, only digits are found. `tag`: BCP-47. */
export function createAmountFinder(tag: string): FindAmounts {
  const language = languageOf(tag)
  const found = known.get(language)
  if (found) return found
  const words = findNumberWords(tag)
  const scales = words && !words.isUnspaced ? listScales(words, language) : new Map<string, number>()
  const find: FindAmounts = (text) =>
    words?.isUnspaced
      ? findUnspaced(text, language)
      : findSpaced(text, { words, scales, groupMark: groupMarkOf(language) })
  if (words) known.set(language, find)
  return find
}
