import { scriptOf } from '@subtext/captions'
import type { Check } from './check.ts'

const WORD = /[\p{L}\p{M}]{2,}/gu
const LATIN = /\p{sc=Latin}/u
/** Scripts with many letters that look like Latin ones, and the letters of Greek that do: others are signs, as in `kΩ`. */
const ALIKE = /[\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Coptic}\p{sc=Lisu}αικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u
const WHOLLY_ALIKE = new RegExp(`^${ALIKE.source}+$`, 'u')

/**
 * Creates the check that a text in Latin letters has no words with letters that only look like them, unless its lines or the
 * publisher write them so: `did nοt` with a Greek letter negates for a reader, but not for the other checks. Unicode's own
 * normalization keeps such letters. `language`: of the text, BCP-47.
 */
export function createLookAlikeCheck(published: readonly string[], language: string): Check {
  const isLatin = scriptOf(language) === 'Latn'
  return {
    reason: 'unsupported',
    isPassed(text, { near }) {
      if (!isLatin || !ALIKE.test(text)) return true
      const isForeign = (word: string): boolean => (LATIN.test(word) ? ALIKE.test(word) : WHOLLY_ALIKE.test(word))
      const words = (text.normalize('NFKC').match(WORD) ?? []).filter(isForeign)
      return words.every((word) => [near, ...published].some((said) => said.includes(word)))
    },
  }
}
