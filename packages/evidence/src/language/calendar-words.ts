import { languageOf } from '@subtext/captions'
import { UNSPACED } from './unspaced.ts'

/** A month from 1 to 12, or a day of the week from 13, Monday, to 19. */
export const FIRST_WEEKDAY = 13

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 15)))
/** 1 January 2024 was a Monday. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1)))

/** Names that mostly mean something else. With a capital letter, the check of names compares them. */
const AMBIGUOUS = new Set(['may', 'march', 'mars', 'मई', 'الاثنين'])
/** Portuguese numbers most of its days, and mostly says the number alone. */
const NUMBERED = /-feira$/

/** Returns a text in lower case, without the signs that not all writers use. */
export const foldCalendar = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[أإآ]/g, 'ا')
    .replaceAll('\u093C', '')
    .replaceAll('म्ब', 'ंब')
    .replaceAll('क्तू', 'क्टू')
    .replaceAll('रूवार', 'रुवार')

/** Locales whose months have other names. */
const OTHER_LOCALES: Partial<Record<string, string>> = { ar: 'ar-SY' }

function listWords(language: string, ambiguous: Map<string, number>): Map<string, number> {
  const words = new Map<string, number>()
  const add = (dates: readonly Date[], options: Intl.DateTimeFormatOptions, first: number): void => {
    for (const locale of [language, OTHER_LOCALES[language] ?? language]) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
      for (const [index, date] of dates.entries()) {
        const name = foldCalendar(format.format(date))
        const isCertain = !AMBIGUOUS.has(name) && !NUMBERED.test(name)
        const known = isCertain ? words : ambiguous
        known.set(name.replace(NUMBERED, ''), first + index)
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

/** The words of each language that mostly mean something else, or only number a day. */
const UNCERTAIN = new Map<string, Map<string, number>>()

function createFinder(language: string): FindCalendarWords {
  const ambiguous = new Map<string, number>()
  const words = listWords(language, ambiguous)
  UNCERTAIN.set(language, ambiguous)
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

/** Other names of days of the week, with that of the calendar. */
const OTHER_NAMES: [pattern: RegExp, name: string][] = [
  [/(?:周|週|礼拜|禮拜|星期)([一二三四五六日天])/gu, '星期$1'],
  [/星期天/gu, '星期日'],
  [/([月火水木金土日])曜(?!日)/gu, '$1曜日'],
  [/इतवार/gu, 'रविवार'],
  [/(?:बृहस्पति|वीर)वार/gu, 'गुरुवार'],
]
/** Languages that join words, so that a day may be part of one: `Sonntagnachmittag`. */
const COMPOUNDING = new Set(['de', 'nl'])
const WORDS = /[\p{L}\p{M}]+/gu

/**
 * Returns the search for all words of a text that may be a month or a day of the week in a language (BCP-47), even if they mostly
 * mean something else.
 */
export function createCalendarSearch(tag: string): FindCalendarWords {
  const language = languageOf(tag)
  const find = createCalendarFinder(tag)
  const uncertain = UNCERTAIN.get(language) ?? new Map<string, number>()
  return (original) => {
    const text = OTHER_NAMES.reduce((known, [pattern, name]) => known.replace(pattern, name), foldCalendar(original))
    const found = find(text)
    for (const [word] of text.matchAll(WORDS)) {
      const entry = uncertain.get(word)
      if (entry !== undefined) found.add(entry)
      if (COMPOUNDING.has(language)) for (const day of find(word.replace(DAY_IN_WORD, ' $& '))) found.add(day)
    }
    return found
  }
}

const DAY_IN_WORD =
  /(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|januar|februar|april|august|september|oktober|november|dezember/gu
const NUMERALS = '〇一二三四五六七八九十'
const NUMBERED_MONTH = /((?<!\d)(?:0?[1-9]|1[0-2])|十[一二]?|(?<!十)[一二三四五六七八九])\s?[月월](?![間间])/gu

/** Returns the months that Chinese, Japanese and Korean texts name by their numbers: `11月`. */
export const listNumberedMonths = (text: string): number[] =>
  Array.from(text.normalize('NFKC').matchAll(NUMBERED_MONTH), ([, number = '']) =>
    /\d/.test(number) ? Number(number) : [...number].reduce((sum, numeral) => sum + NUMERALS.indexOf(numeral), 0),
  )
