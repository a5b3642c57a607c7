import { languageOf, scriptOf } from '@subtext/captions'
import { readBeginning } from '../evidence.ts'
import { createCalendarFinder } from '../language/calendar-words.ts'
import type { Check } from './check.ts'

/** Languages that write all nouns with a capital letter. */
const CAPITALIZED_NOUNS = new Set(['de', 'lb'])
/** A word with a capital letter after another word, an elision (`d’Italie`) or a title (`Dr.`). */
const NAME =
  /(?<=[\p{L}\p{M}\p{N},;\])}>]["'”’)]?\s["'“‘(«]{0,2}|\p{Ll}['’]|(?<!\p{L})(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Sra|Dra)\.\s)\p{Lu}[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu

/** Inflection mostly leaves all but this many letters of a name unchanged, and this many at least. */
const MAX_ENDING = 2
const MIN_STEM = 5
const MARK = /\p{M}/gu
const SEPARATOR = /[^\p{L}\p{N}]+/gu

/** An umlaut, too, may be inflection. */
export const foldName = (text: string): string => text.normalize('NFKD').replace(MARK, '').toLowerCase()
const foldText = (text: string): string => ` ${foldName(text).replace(SEPARATOR, ' ').trim()} `

/** Tells whether a language writes all nouns with a capital letter, so that names do not differ from them. BCP-47. */
export const capitalizesNouns = (language: string): boolean => CAPITALIZED_NOUNS.has(languageOf(language))

/** Returns the words with a capital letter that do not begin a sentence: names and, in some languages, nouns. */
export const findNames = (text: string): string[] => text.match(NAME) ?? []

/** Returns those of the names, or nouns, that appear in none of the texts in any form. */
export type SelectUnsaidNames = (names: readonly string[]) => string[]

/** Of a single text, and of all: more than forty hours of speech. Only hostile transcripts are longer. */
const MAX_TEXT = 10_000
const MAX_TEXTS = 4_000_000

const TITLES = new Set('mr mrs ms dr prof sr sra mme mio mrd tsd'.split(' '))
const ROMAN = /^[IVXLC]+(?:er?|è(?:re|me))?$/
const PARTS = /['’-]/u
const MIN_PART = 2

/** Returns what of a name has to be said: numbers are checked as such, and titles may be left out. */
const partsOf = (name: string): string[] =>
  name
    .split(PARTS)
    .filter((part) => part.length >= MIN_PART && /^\p{Lu}/u.test(part) && !/\d/.test(part) && !ROMAN.test(part))
    .map(foldName)
    .filter((part) => !TITLES.has(part))

const stemOf = (part: string): string => {
  const single = part.length > MIN_STEM - 1 ? part.replace(/s$/, '') : part
  return single.slice(0, Math.max(MIN_STEM, single.length - MAX_ENDING))
}

/** Words that a speech recognizer separates, such as `you tube`, and initials. */
const MIN_JOINED = 6
const MIN_INITIALS = 3
const MAX_INITIALS = 6
const FUNCTION_WORD = / (?:of|the|and|for|in|de|del|la|las|los|du|des|le|les|et|y|e|da|do|das|dos) /g

/** Tells whether a folded text says a part of a name. */
function says(text: string, part: string, isInitials: boolean): boolean {
  const stem = stemOf(part)
  if (text.includes(` ${stem}`)) return true
  if (part.length >= MIN_JOINED && text.replaceAll(' ', '').includes(stem)) return true
  if (!isInitials) return false
  // `U.S.`, `u s`.
  if (text.includes(` ${[...part].join(' ')} `)) return true
  if (part.length < MIN_INITIALS || part.length > MAX_INITIALS) return false
  const initials = text.replace(FUNCTION_WORD, ' ').replace(/ (\p{L})[^ ]*(?= )/gu, '$1')
  return initials.includes(part)
}

const isInitials = (name: string): boolean => /^\p{Lu}{2,6}$/u.test(name)

/**
 * Creates the check of names against texts, of which it reads the first four million letters. It folds a text when it first
 * searches it, and keeps what it has folded: a name that is not said is looked for in all of them.
 */
export function createNameCheck(texts: readonly string[]): SelectUnsaidNames {
  const folded: string[] = []
  let length = 0
  const foldedAt = (index: number, text: string): string => {
    const known = folded[index] ?? (length < MAX_TEXTS ? foldText(readBeginning(text, MAX_TEXT)) : '')
    if (folded[index] === undefined) length += known.length
    folded[index] = known
    return known
  }
  return (names) =>
    names.filter((name) =>
      partsOf(name).some(
        (part) => !texts.some((text, index) => says(foldedAt(index, text), part, isInitials(name.replace(PARTS, '')))),
      ),
    )
}

/**
 * Creates the check that the names in a text are said in its lines, or are in what the publisher wrote, such as the title.
 * Months and days are checked as dates. `language`: of both, BCP-47; one that does not write all nouns like names.
 */
export function createUnknownNameCheck(published: readonly string[], language: string): Check {
  const selectUnpublished = createNameCheck(published)
  const findCalendarWords = createCalendarFinder(language)
  return {
    reason: 'unknown_name',
    isPassed(text, { near }) {
      const names = findNames(text).filter((name) => findCalendarWords(name).size === 0)
      return names.length === 0 || createNameCheck([near])(selectUnpublished(names)).length === 0
    },
  }
}

/** Tells whether names of two languages are written with the same letters. */
export const sharesScript = (language: string, other: string): boolean => {
  const script = scriptOf(language)
  return script !== null && script === scriptOf(other)
}
