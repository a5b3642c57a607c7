import { languageOf } from '@subtext/captions'
import { PLACES } from './translated-words.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const WORD = /[\p{L}\p{M}]+/gu
/** Shorter words of the names of countries are articles and prepositions; more letters are inflection. */
const MIN_LENGTH = 4
const STEM = 5

const stemsOf = (text: string): string[] =>
  (text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(WORD) ?? []).map((word) => word.slice(0, STEM))

type Words = Map<string, Set<string>>

function addWords(words: Words, names: string, place: string): void {
  for (const stem of stemsOf(names)) {
    if (stem.length >= MIN_LENGTH) words.set(stem, (words.get(stem) ?? new Set()).add(place))
  }
}

/** Returns the words of a language (ISO 639) for countries and languages, with the places that they may stand for. */
function listWords(language: string): Words {
  const words: Words = new Map()
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  for (const type of ['region', 'language'] as const) {
    const names = new Intl.DisplayNames(language, { type, fallback: 'none' })
    for (const code of codes)
      addWords(words, names.of(type === 'region' ? code : code.toLowerCase()) ?? '', type + code)
  }
  for (const [index, names] of PLACES.entries()) addWords(words, names, String(index))
  return words
}

const known = new Map<string, Words>()

/** Creates the search for places in a text of a language (BCP-47). Places are those of its countries, peoples and languages. */
export function createPlaceFinder(tag: string): (text: string) => Set<string> {
  const language = languageOf(tag)
  const find = (): Words => {
    const words = known.get(language) ?? listWords(language)
    known.set(language, words)
    return words
  }
  return (text) => new Set(stemsOf(text).flatMap((stem) => [...(find().get(stem) ?? [])]))
}
