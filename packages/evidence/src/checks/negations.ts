import { createNegationFinder, type Negation } from '../language/find-negations.ts'
import type { FindStems } from '../language/find-stems.ts'
import { negationWordsOf } from '../language/negation-words.ts'
import { countShared, rateSentences } from '../language/shared-stems.ts'

/** Tells whether a statement says the opposite of the lines that it rests on, as far as negations show it. */
export type Contradicts = (statement: string, lines: string) => boolean

const never: Contradicts = () => false

/** The words that two negations, or a negation and a statement, have to share to be about the same. */
const MIN_SHARED = 2

/**
 * Tells whether a negation of the statement and one of the lines are about the same. What only one of the texts says does not
 * count, and a strong negation of the lines may be about a single word.
 */
function isSame(own: Negation, theirs: Negation, said: ReadonlySet<string>): boolean {
  const words = Math.min(MIN_SHARED, countShared(own.stems, said), theirs.isStrong ? theirs.stems.size : MIN_SHARED)
  return countShared(own.stems, theirs.stems) >= Math.max(1, words)
}

/** Returns the sentences of the lines that say the most words of a statement: what they negate is about the same. */
function findNearest(stated: ReadonlySet<string>, lines: string, findStems: FindStems): string[] {
  const sentences = rateSentences(stated, lines, findStems)
  const max = Math.max(1, ...sentences.map(({ shared }) => shared))
  return sentences.filter(({ shared }) => shared === max).map(({ sentence }) => sentence)
}

/**
 * Creates the check of statements in the language of the transcript. A statement must negate what its lines negate, and nothing
 * else, if both are about the same words. A language whose words for negation are not known is not checked. `language`: BCP-47.
 */
export function createContradictionCheck(language: string, findStems: FindStems): Contradicts {
  const negationWords = negationWordsOf(language)
  if (!negationWords) return never
  const findNegations = createNegationFinder(language, negationWords, findStems)
  return (statement, lines) => {
    const [own, theirs] = [findNegations(statement), findNegations(lines)]
    if (own.length === 0 && theirs.length === 0) return false
    const [stated, said] = [findStems(statement), findStems(lines)]
    const isInvented = (negation: Negation): boolean =>
      negation.isStrong &&
      countShared(negation.stems, said) > 0 &&
      !theirs.some((other) => isSame(negation, other, said))
    if (own.some(isInvented)) return true
    const isLost = (negation: Negation): boolean =>
      negation.isStrong &&
      countShared(negation.stems, stated) >= Math.max(1, Math.min(MIN_SHARED, negation.stems.size)) &&
      !own.some((other) => isSame(other, negation, said))
    const nearest = findNearest(stated, lines, findStems)
    return nearest.length > 0 && nearest.every((sentence) => findNegations(sentence).some(isLost))
  }
}

/**
 * Creates the check of statements in another language than the transcript, whose words cannot be compared: one with a negation
 * that neither its lines nor those beside them have, or one without any that quotes only negated words, says something else.
 */
export function createTranslatedContradictionCheck(language: string, trackLanguage: string) {
  const [own, theirs] = [negationWordsOf(language), negationWordsOf(trackLanguage)]
  const isNegated = (text: string, words: NonNullable<typeof own>): boolean => {
    const prepared = text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
    return prepared.replaceAll(words.exceptions ?? /$^/gu, ' ').search(words.strong) >= 0
  }
  const mayNegate = (text: string, words: NonNullable<typeof own>): boolean =>
    isNegated(text, words) || (words.weak !== null && text.toLowerCase().search(words.weak) >= 0)
  return (statement: string, lines: string, quotes: readonly string[]): boolean => {
    if (!own || !theirs) return false
    if (isNegated(statement, own)) return !mayNegate(lines, theirs)
    return quotes.length > 0 && quotes.every((quote) => isNegated(quote, theirs)) && !mayNegate(statement, own)
  }
}
