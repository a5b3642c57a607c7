import { languageOf } from '@subtext/captions'
import { readBeginning } from '../evidence.ts'
import type { Check } from './check.ts'

/** Languages that write all nouns with a capital letter. */
const CAPITALIZED_NOUNS = new Set(['de', 'lb'])
const NAME = /(?<=[\p{L}\p{M}\p{N},;\])}>]["'”’)]?\s["'“‘(]?)\p{Lu}[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu

/** Inflection mostly leaves this many letters of a name unchanged. */
const STEM = 5
const MARK = /\p{M}/gu

/** An umlaut, too, may be inflection. */
const foldName = (text: string): string => text.normalize('NFKD').replace(MARK, '').toLowerCase()

/** Tells whether a language writes all nouns with a capital letter, so that names do not differ from them. BCP-47. */
export const capitalizesNouns = (language: string): boolean => CAPITALIZED_NOUNS.has(languageOf(language))

/** Returns the words with a capital letter that do not begin a sentence: names and, in some languages, nouns. */
export const findNames = (text: string): string[] => text.match(NAME) ?? []

/** Returns those of the names, or nouns, that appear in none of the texts in any form. */
export type SelectUnsaidNames = (names: readonly string[]) => string[]

/** Of a single text, and of all: more than forty hours of speech. Only hostile transcripts are longer. */
const MAX_TEXT = 10_000
const MAX_TEXTS = 4_000_000

/**
 * Creates the check of names against texts, of which it reads the first four million letters. It folds a text when it first
 * searches it, and keeps what it has folded: an answer has many names, and one that is not said is looked for in the whole
 * transcript.
 */
export function createNameCheck(texts: readonly string[]): SelectUnsaidNames {
  const folded: string[] = []
  let length = 0
  const foldedAt = (index: number, text: string): string => {
    const known = folded[index] ?? (length < MAX_TEXTS ? foldName(readBeginning(text, MAX_TEXT)) : '')
    if (folded[index] === undefined) length += known.length
    folded[index] = known
    return known
  }
  return (names) =>
    names.filter((name) => {
      const stem = foldName(name).slice(0, STEM)
      return !texts.some((text, index) => foldedAt(index, text).includes(stem))
    })
}

/**
 * Creates the check that the names in a text appear somewhere in the video, which passes every text of a language in which they
 * cannot be told from nouns. What a line calls `she`, an answer may call by the name. `language`: of both, BCP-47.
 * `selectUnsaid`: against what is said, and the publisher's own words.
 */
export const createUnknownNameCheck = (selectUnsaid: SelectUnsaidNames, language: string): Check => ({
  reason: 'unknown_name',
  isPassed: (text) => capitalizesNouns(language) || selectUnsaid(findNames(text)).length === 0,
})
