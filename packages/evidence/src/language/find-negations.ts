import { languageOf } from '@subtext/captions'
import type { FindStems } from './find-stems.ts'
import type { NegationWords } from './negation-words.ts'
import { createWordFinder } from './words.ts'

/** A negation, with the stems of the nearest words before and after it in its sentence: what it can be about. */
export interface Negation {
  isStrong: boolean
  stems: Set<string>
  /** How stems of the word begin that is most likely negated: the one right after it, or before it where verbs come first. */
  focus: Set<string>
}

interface PlacedStems {
  start: number
  end: number
  stems: string[]
}

/** Languages in which the negation mostly follows the word. */
const FOLLOWING = new Set(['de', 'nl', 'hi', 'ja', 'ko', 'tr'])
/** Words on each side of a negation that it can be about. */
const REACH = 3
/** The second half of `neither ... nor`: both negate the same. */
const COORDINATING = /^(?:nor|ni|nem)$/u
/** What negates several at once: `neither A nor B`. */
export const COORDINATED = /(?<![\p{L}\p{M}])(?:neither|nor|weder|ni|nem)(?![\p{L}\p{M}])/iu
/** Nobody says as many in a few lines: someone wants us to be busy. */
const MAX_NEGATIONS = 100
/** Where a sentence or a part of one ends. */
const SENTENCE_END = /[!?;:।؟۔。！？；：…\n]|\.(?!\d)/gu
const CLAUSE_END = /[!?;:،؛।؟۔、，。！？；：…\n–—()]|[,.](?!\d)/gu
/** Verbs and particles of Japanese: they stand beside every negation. */
const KANA = /^\p{sc=Hiragana}+$/u
/** Endings of Korean verbs, of which every sentence has one. */
const ENDINGS = new Set(['니다', '습니', '입니', '합니', '됩니', '는다', '어요', '아요', '에요'])
const LIGHT_VERB = /^하지(?:는|도|를)?$/u
const overlaps = (start: number, end: number, ranges: readonly [number, number][]): boolean =>
  ranges.some(([from, to]) => start < to && end > from)

const findRanges = (text: string, pattern: RegExp | null): [number, number][] =>
  pattern === null ? [] : [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length])

/** Returns the part of a text around a place that the nearest stops delimit. */
const boundsOf = ([start, end]: [number, number], stops: readonly number[]): [number, number] => [
  stops.findLast((stop) => stop < start) ?? -1,
  stops.find((stop) => stop >= end) ?? Number.POSITIVE_INFINITY,
]

/** The answer to a question: it negates the question, and nothing that follows. */
const ANSWER = /(?<=^\s?|[.!?।؟。！？]\s?)(?:no|não|nein|नहीं|لا|不)(?=\s?[,،、，])/gu

/** Returns a text as the words for negation are written, without those that only answer a question. */
export const foldForNegations = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(ANSWER, (answer) => ' '.repeat(answer.length))

/** Creates a function that returns the negations of a text in the language. `language`: BCP-47. */
export function createNegationFinder(
  language: string,
  { strong, weak, exceptions }: NegationWords,
  findStems: FindStems,
): (text: string) => Negation[] {
  const findWords = createWordFinder(language)
  const base = languageOf(language)
  const isFollowing = FOLLOWING.has(base)
  return (original) => {
    const text = foldForNegations(original)
    const excepted = findRanges(text, exceptions)
    const negated = findRanges(text, strong)
    const isSecond = ([start, end]: [number, number], index: number): boolean =>
      COORDINATING.test(text.slice(start, end)) &&
      index > 0 &&
      !/[.!?;]/u.test(text.slice(negated[index - 1]?.[1], start))
    const markers = [
      ...negated.map((range, index) => ({
        range,
        isStrong: !isSecond(range, index) && !overlaps(...range, excepted),
      })),
      ...findRanges(text, weak).map((range) => ({ range, isStrong: false })),
    ].slice(0, MAX_NEGATIONS)
    if (markers.length === 0) return []
    const stops = [CLAUSE_END, SENTENCE_END].map((ends) => [...text.matchAll(ends)].map(({ index }) => index))
    const strongRanges = markers.filter(({ isStrong }) => isStrong).map(({ range }) => range)
    const placed: PlacedStems[] = findWords(text)
      .map(({ word, start }) => ({
        start,
        end: start + word.length,
        stems: [...findStems(word)].filter((stem) => !ENDINGS.has(stem)),
      }))
      .filter(({ start, end, stems }) => stems.some((stem) => !KANA.test(stem)) && !isMarker(start, end, strongRanges))
    return markers.map(({ range, isStrong }) => {
      const near = stops
        .map((all) => wordsNear(placed, range, boundsOf(range, all)))
        .find(({ before, after }) => before.length + after.length > 0)
      const { before = [], after = [] } = near ?? {}
      const last = before.at(-1)
      // What is not done in Korean stands before `하지`.
      const done = base === 'ko' && last && LIGHT_VERB.test(text.slice(last.start, last.end)) ? before.at(-2) : last
      const focus = isFollowing ? (done ?? after[0]) : (after[0] ?? before.at(-1))
      return {
        isStrong,
        stems: new Set([...before, ...after].flatMap(({ stems }) => stems)),
        focus: new Set(spellFocus(focus?.stems ?? [], base)),
      }
    })
  }
}

/** The person of an Arabic verb is its first letter, which other tenses lack; of a Korean one, only the first syllable stays. */
const spellFocus = (stems: readonly string[], language: string): string[] =>
  stems.flatMap((stem, index) => {
    if (language === 'ko') return index === 0 ? [stem.slice(0, 1)] : []
    return language === 'ar' ? [stem, stem.slice(1)] : [stem]
  })

/** Tells whether the word that is negated is among some stems. */
export const isFocusAmong = ({ focus }: Negation, stems: ReadonlySet<string>): boolean =>
  [...focus].some((beginning) => [...stems].some((stem) => stem.startsWith(beginning)))

/** Tells whether a word is nothing but the negation itself. */
const isMarker = (start: number, end: number, ranges: readonly [number, number][]): boolean =>
  ranges.some(([from, to]) => start >= from && end <= to)

function wordsNear(
  placed: PlacedStems[],
  [start, end]: [number, number],
  [from, to]: [number, number],
): { before: PlacedStems[]; after: PlacedStems[] } {
  const before = placed.filter((word) => word.start > from && word.start < start).slice(-REACH)
  const after = placed.filter((word) => word.start >= end && word.end <= to).slice(0, REACH)
  return { before, after }
}
