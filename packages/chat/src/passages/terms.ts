import { pairLetters } from '@subtext/evidence'
import { selectStemmer } from './stemmers.ts'

/** Returns the terms of a text, in order and with repetitions. */
export type FindTerms = (text: string) => string[]

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Runs of letters of scripts whose words are not separated, or that append particles to them (Hangul), and all others. */
const PAIRED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const RUN = new RegExp(`(${PAIRED}+)|(?:(?!${PAIRED}).)+`, 'gu')
/** Maximum length of a word for stemming. Longer ones are not words. */
const MAX_WORD = 40
const MAX_KNOWN = 50_000

/**
 * Creates a function that folds text for ranking: NFKC, lower case by the rules of the language (Turkish has its own), words
 * without their endings, and overlapping pairs of letters where words are not separated. `language`: BCP-47.
 */
export function createTermFinder(language: string): FindTerms {
  const stem = selectStemmer(language)
  const locale = selectLocale(language)
  const known = new Map<string, string>()
  const stemOnce = (word: string): string => {
    const found = known.get(word)
    if (found !== undefined) return found
    const term = stem(word.slice(0, MAX_WORD))
    if (known.size < MAX_KNOWN) known.set(word, term)
    return term
  }
  return (text) => {
    const words = text.normalize('NFKC').toLocaleLowerCase(locale).match(WORD) ?? []
    return words.flatMap((word) =>
      Array.from(word.matchAll(RUN)).flatMap(([run, paired]) => (paired ? pairLetters(paired) : stemOnce(run))),
    )
  }
}

/** A malformed tag has no rules of its own. */
const selectLocale = (tag: string): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
