import type { SaidLines } from '../evidence.ts'
import { createDoubleSettler } from '../language/double-negations.ts'
import {
  COORDINATED,
  createNegationFinder,
  foldForNegations,
  isFocusAmong,
  type Negation,
} from '../language/find-negations.ts'
import type { FindStems } from '../language/find-stems.ts'
import { type NegationWords, negationWordsOf } from '../language/negation-words.ts'
import { countShared, rateSentences, splitPlainly } from '../language/shared-stems.ts'
import type { Check } from './check.ts'

/** The words that two negations, or a negation and a statement, have to share to be about the same. */
const MIN_SHARED = 2

/**
 * Tells whether a negation of the statement and one of the lines are about the same. What only one of the texts says does not
 * count, and a strong negation of the lines may be about a single word.
 */
function isSame(own: Negation, theirs: Negation, stated: ReadonlySet<string>, said: ReadonlySet<string>): boolean {
  const shared = countShared(own.stems, theirs.stems)
  if (own.isStrong && theirs.isStrong) {
    if (countShared(own.focus, theirs.focus) > 0) return true
    // `Did not leave` and `did not abandon`: the other text has neither word.
    const hasFocus = own.focus.size > 0 && theirs.focus.size > 0
    if (hasFocus && shared > 0 && !isFocusAmong(own, said) && !isFocusAmong(theirs, stated)) return true
  }
  const words = Math.min(MIN_SHARED, countShared(own.stems, said), theirs.isStrong ? theirs.stems.size : MIN_SHARED)
  return shared >= Math.max(1, words)
}

/** Returns the sentences of the lines that say the most words of a statement: what they negate is about the same. */
function findNearest(stated: ReadonlySet<string>, lines: string, findStems: FindStems): string[] {
  const sentences = rateSentences(stated, lines, findStems)
  const max = Math.max(1, ...sentences.map(({ shared }) => shared))
  return sentences.filter(({ shared }) => shared === max).map(({ sentence }) => sentence)
}

/** The share of each other's words that two sentences say if one repeats the other. */
const MIN_REPEATED = 0.8
/** A short sentence can share all its words with another by chance. */
const MIN_WORDS = 4

/** Tells whether a statement repeats a sentence of its lines nearly word by word, but with more or fewer negations. */
function repeatsOtherwise(
  statement: string,
  { near, cited }: Pick<SaidLines, 'near' | 'cited'>,
  findNegations: (text: string) => Negation[],
  findStems: FindStems,
): boolean {
  const listStrong = (text: string): Negation[] => findNegations(text).filter(({ isStrong }) => isStrong)
  /** `Neither A nor B` is as much as two negations. */
  const differs = (one: string, other: string): boolean =>
    COORDINATED.test(one) || COORDINATED.test(other)
      ? (listStrong(one).length === 0) !== (listStrong(other).length === 0)
      : listStrong(one).length !== listStrong(other).length
  const stated = findStems(statement)
  // Automatic captions have no punctuation: the cited lines are as near to a sentence as they come.
  const whole = { sentence: cited, shared: countShared(stated, findStems(cited)) }
  const repeated = [...rateSentences(stated, near, findStems), whole].filter(
    ({ sentence, shared }) =>
      shared >= MIN_WORDS && shared >= MIN_REPEATED * Math.max(stated.size, findStems(sentence).size),
  )
  const own = listStrong(statement)
  return (
    repeated.length > 0 &&
    repeated.every(({ sentence }) => {
      const theirs = listStrong(sentence)
      const [more, other] = own.length > theirs.length ? [own, findStems(sentence)] : [theirs, stated]
      // `Stayed` is no opposite of `did not leave`.
      const isAboutSame = more.every((negation) => negation.focus.size === 0 || isFocusAmong(negation, other))
      return differs(statement, sentence) && isAboutSame
    })
  )
}

/** Tells whether a statement says the opposite of its lines, as far as negations show it. */
function contradicts(
  { statement, stated }: { statement: string; stated: ReadonlySet<string> },
  { near: lines, cited }: Pick<SaidLines, 'near' | 'cited'>,
  findNegations: (text: string) => Negation[],
  findStems: FindStems,
): boolean {
  const [own, theirs] = [findNegations(statement), findNegations(lines)]
  if (own.length === 0 && theirs.length === 0) return false
  if (
    splitPlainly(statement).some((sentence) =>
      repeatsOtherwise(sentence, { near: lines, cited }, findNegations, findStems),
    )
  )
    return true
  const said = findStems(lines)
  const isInvented = (negation: Negation): boolean =>
    negation.isStrong &&
    countShared(negation.stems, said) > 0 &&
    !theirs.some((other) => isSame(negation, other, stated, said))
  if (own.some(isInvented)) return true
  const isLost = (negation: Negation): boolean =>
    negation.isStrong &&
    // `Stayed` is no opposite of `did not leave`.
    (negation.focus.size === 0 || isFocusAmong(negation, stated)) &&
    countShared(negation.stems, stated) >= Math.max(1, Math.min(MIN_SHARED, negation.stems.size)) &&
    !own.some((other) => isSame(other, negation, stated, said))
  // Without punctuation, whose lines these are tells best what is about the same.
  const nearest = splitPlainly(lines).length > 1 ? findNearest(stated, lines, findStems) : [cited]
  return nearest.length > 0 && nearest.every((sentence) => findNegations(sentence).some(isLost))
}

/**
 * Creates the check of statements in the language of the transcript. A statement must negate what its lines negate, and nothing
 * else, if both are about the same words. A language whose words for negation are not known is not checked. `language`: BCP-47.
 */
export function createNegationCheck(language: string, findStems: FindStems): Check {
  const negationWords = negationWordsOf(language)
  const findNegations = negationWords && createNegationFinder(language, negationWords, findStems)
  const settle = createDoubleSettler(language)
  return {
    reason: 'contradicted',
    isPassed(statement, { near, cited, sentences }) {
      if (!findNegations) return true
      const lines = { near: settle(near, statement), cited: settle(cited, statement) }
      const settled = { statement: settle(statement, sentences), stated: findStems(statement) }
      return !contradicts(settled, lines, findNegations, findStems)
    },
  }
}

/** `Not ... only`: what is said of something is said of more. */
const ONLY =
  /(?<![\p{L}\p{M}])(?:only|just|solely|merely|sólo|solo|solamente|únicamente|seulement|uniquement|só|apenas|somente|nur|ausschließlich|lediglich|فقط|فحسب|केवल|सिर्फ़?|मात्र)(?![\p{L}\p{M}])|[只僅仅]|だけ|만|뿐/u

const isNegated = (text: string, { strong, certain = strong, exceptions }: NegationWords): boolean =>
  foldForNegations(text)
    .replaceAll(exceptions ?? /$^/gu, ' ')
    .search(certain) >= 0

const mayNegate = (text: string, words: NegationWords): boolean =>
  isNegated(text, { ...words, certain: words.strong }) ||
  [words.weak, words.otherwise].some((pattern) => pattern && text.toLowerCase().search(pattern) >= 0)

/**
 * Creates the check of statements in another language than the transcript, whose words cannot be compared: one with a negation
 * that neither its lines nor those beside them have, or one without any that quotes only negated words, says something else.
 */
export function createTranslatedNegationCheck(language: string, trackLanguage: string): Check {
  const [own, theirs] = [negationWordsOf(language), negationWordsOf(trackLanguage)]
  const settleOwn = createDoubleSettler(language, trackLanguage)
  const settleTheirs = createDoubleSettler(trackLanguage, language)
  return {
    reason: 'contradicted',
    isPassed(statement, { sentences, quotes = [] }) {
      if (!own || !theirs) return true
      const isOwnNegated = isNegated(settleOwn(statement, sentences), own)
      if (isOwnNegated && !ONLY.test(statement)) return mayNegate(sentences, theirs)
      const isQuotedNegated =
        quotes.length > 0 && quotes.every((quote) => isNegated(settleTheirs(quote, statement), theirs))
      return !isQuotedNegated || mayNegate(statement, own)
    },
  }
}
