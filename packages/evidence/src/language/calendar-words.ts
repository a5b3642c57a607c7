import { languageOf } from '@subtext/captions'

/** A month from 1 to 12, or a day of the week from 13, Monday, to 19. */
export const FIRST_WEEKDAY = 13

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)))
/** 1 January 2024 was a Monday. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1)))

/** Names that mostly mean something else. With a capital letter, the check of names compares them. */
const AMBIGUOUS = new Set(['may', 'march', 'mars', 'मई'])
/** Portuguese numbers most of its days, and mostly says the number alone. */
const NUMBERED = /-feira$/
const UNSPACED = new Set(['ja', 'ko', 'zh'])

/** Returns a text in lower case, without the signs that not all writers use. */
export const foldCalendar = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/[أإآ]/g, 'ا').replaceAll('\u093C', '')

/** Locales whose months have other names. */
const OTHER_LOCALES: Partial<Record<string, string>> = { ar: 'ar-SY' }

function listWords(language: string): Map<string, number> {
  const words = new Map<string, number>()
  const add = (dates: readonly Date[], options: Intl.DateTimeFormatOptions, first: number): void => {
    for (const locale of [language, OTHER_LOCALES[language] ?? language]) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
      for (const [index, date] of dates.entries()) {
        const name = foldCalendar(format.format(date))
        if (!AMBIGUOUS.has(name) && !NUMBERED.test(name)) words.set(name, first + index)
      }
    }
  }
  // Where months have numbers in place of names, they are compared as numbers.
  if (!UNSPACED.has(language)) add(MONTHS, { month: 'long' }, 1)
  add(WEEKDAYS, { weekday: 'long' }, FIRST_WEEKDAY)
  return words
}

/** Returns the months (from 1) and days of the week (from 13) that a text names. */
export type FindCalendarWords = (text: string) => Set<number>

/** Other languages write months and days of the week in too many forms to look for them. */
const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'zh']

function createFinder(language: string): FindCalendarWords {
  const words = listWords(language)
  // Only days have a plural: French `mais` is no month.
  const names = [...words]
    .sort(([one], [other]) => other.length - one.length)
    .map(([name, entry]) => (entry < FIRST_WEEKDAY ? name : `${name}(?:s(?!\\p{L}))?`))
    .join('|')
  // Arabic writes prepositions together with the word.
  const pattern = UNSPACED.has(language)
    ? new RegExp(`(${names})`, 'gu')
    : new RegExp(`(?<![\\p{L}\\p{M}])[وفبلك]?(${names})(?![\\p{L}\\p{M}])`, 'gu')
  return (text) =>
    new Set(
      Array.from(
        foldCalendar(text).matchAll(pattern),
        ([, name = '']) => words.get(name) ?? words.get(name.replace(/s$/, '')) ?? 0,
      ),
    )
}

const FINDERS = new Map(LANGUAGES.map((language) => [language, createFinder(language)]))

/** Returns the search for the months and days of the week in a language (BCP-47). */
export const createCalendarFinder = (tag: string): FindCalendarWords =>
  FINDERS.get(languageOf(tag)) ?? (() => new Set())
