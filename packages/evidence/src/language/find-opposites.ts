import { languageOf } from '@subtext/captions'
import type { FindStems } from './find-stems.ts'
import { EASTERN } from './opposite-words/eastern.ts'
import { IBERIAN } from './opposite-words/iberian.ts'
import { WESTERN } from './opposite-words/western.ts'
import { UNSPACED } from './unspaced.ts'

/**
 * The opposites of a language, a pair to a line: the words of one side, `|`, and those of the other. `*` stands for any ending. In
 * Chinese, Japanese and Korean, words are found anywhere.
 */
const OPPOSITES: Partial<Record<string, string>> = { ...WESTERN, ...IBERIAN, ...EASTERN }

/** A word of a pair of opposites in a text, with the stems of the words around it, which tell what it is about. */
export interface Opposite {
  pair: number
  side: 0 | 1
  start: number
  end: number
  /** The words of its sentence before it and after it, as far as it can be about them. */
  before: string
  after: string
  stems: ReadonlySet<string>
}

/** Returns the words in a text that have opposites. */
export type FindOpposites = (text: string) => Opposite[]

/** Nobody says as many in a few lines: someone wants us to be busy. */
const MAX_OPPOSITES = 60
/** Characters on each side of a word that it can be about, in scripts with and without spaces. */
const REACH = 60
const REACH_UNSPACED = 25
const SENTENCE_END = /[!?;।؟۔。！？；…\n]|\.(?!\d)/gu

type Place = Pick<Opposite, 'pair' | 'side'>

interface OppositeList {
  pattern: RegExp
  /** Places of whole words, and of stems. */
  whole: Map<string, Place[]>
  stems: Map<string, Place[]>
}

const anyOf = (words: Iterable<string>): string => [...words].sort((a, b) => b.length - a.length).join('|')
const LETTER = '[\\p{L}\\p{M}]'

function readList(language: string, opposites: string): OppositeList {
  const [whole, stems] = [new Map<string, Place[]>(), new Map<string, Place[]>()]
  for (const [pair, line] of opposites.trim().split('\n').entries()) {
    for (const [side, words] of line.split('|').entries()) {
      for (const word of words.trim().split(/\s+/u)) {
        const isStem = word.endsWith('*')
        const list = isStem ? stems : whole
        const key = (isStem ? word.slice(0, -1) : word).normalize('NFKC')
        list.set(key, [...(list.get(key) ?? []), { pair, side: side === 0 ? 0 : 1 }])
      }
    }
  }
  // Arabic writes the article and some conjunctions together with the word.
  const before = language === 'ar' ? `(?<!${LETTER})[وف]?(?:ال|لل)?` : `(?<!${LETTER})`
  const pattern = UNSPACED.has(language)
    ? `(${anyOf(whole.keys())})|(${anyOf(stems.keys())})`
    : `${before}(?:(${anyOf(whole.keys())})(?!${LETTER})|(${anyOf(stems.keys())})${LETTER}*)`
  // A language without words of one kind must not match nothing.
  return { pattern: new RegExp(pattern.replaceAll('()', '(?!)()'), 'gu'), whole, stems }
}

const LISTS = new Map(
  Object.entries(OPPOSITES).map(([language, opposites]) => [language, readList(language, opposites ?? '')]),
)

/** Drops the parts of words at the ends of what a word is about. */
const trimStart = (text: string): string => text.replace(/^[\p{L}\p{M}]+/u, '')
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && /[\p{L}\p{M}]/u.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Creates the search for words with opposites in a language (BCP-47); null for a language whose opposites are not known. */
export function createOppositeFinder(tag: string, findStems: FindStems): FindOpposites | null {
  const language = languageOf(tag)
  const list = LISTS.get(language)
  if (!list) return null
  const isUnspaced = UNSPACED.has(language)
  const reach = isUnspaced ? REACH_UNSPACED : REACH
  return (original) => {
    const text = original.normalize('NFKC').toLowerCase()
    const found = [...text.matchAll(list.pattern)].slice(0, MAX_OPPOSITES)
    if (found.length === 0) return []
    const ends = [...text.matchAll(SENTENCE_END)].map(({ index }) => index)
    return found.flatMap(({ 0: match, 1: word, 2: stem, index: start }) => {
      const end = start + match.length
      const [from, to] = [Math.max(0, start - reach), Math.min(text.length, end + reach)]
      const first = ends.findLast((at) => at < start && at >= from)
      const last = ends.find((at) => at >= end && at < to)
      const before =
        first === undefined && from > 0 && !isUnspaced
          ? trimStart(text.slice(from, start))
          : text.slice((first ?? from - 1) + 1, start)
      const after =
        last === undefined && to < text.length && !isUnspaced
          ? trimEnd(text.slice(end, to))
          : text.slice(end, last ?? to)
      const places = (word ? list.whole.get(word) : list.stems.get(stem ?? '')) ?? []
      const stems = findStems(`${before} ${after}`)
      return places.map((place) => ({ ...place, start, end, before, after, stems }))
    })
  }
}
