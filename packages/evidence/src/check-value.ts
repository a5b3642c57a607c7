import { languageOf } from '@subtext/captions'
import { createCalendarSearch, listNumberedMonths } from './language/calendar-words.ts'
import { createStemFinder } from './language/find-stems.ts'
import type { Amount } from './numbers/amount.ts'
import { createAmountFinder } from './numbers/find-amounts.ts'
import { withPlainDigits } from './numbers/plain-digits.ts'
import { nameUnits } from './numbers/units.ts'

/** What is checked of values that are no sentences, in lines of one language. */
export interface ValueChecks {
  /**
   * Returns whether lines say a number, in digits or in words, with its sign. One that was rounded or converted, or that is part of
   * a name, is not said.
   */
  saysNumber(lines: string, value: number): boolean
  /** Returns whether lines say the day, the month and the year of a date (`2026-03-05`). */
  saysDate(lines: string, date: string): boolean
  /** Returns whether lines say a text: all of its words, in any of their forms; numbers in digits or in words. */
  saysWords(lines: string, text: string): boolean
}

const PRECISION = 1e-9
const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= Math.abs(other) * PRECISION

const MINUS_WORD = /(?:minus|negative|menos|moins|meno|минус|マイナス|氷点下|영하|零下|माइनस|ناقص)\s?$/u
/** Elsewhere, a hyphen before a number joins it to a word or to another number. */
const SIGN = /(?:^|[\p{L}\p{M}])\s[-−]\s?$|^\s?[-−]\s?$/u

/** A name that ends with digits: `A1`, `CO2`. Scripts without spaces, and particles, write letters before numbers as well. */
const NAMED =
  /(?<![\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{M}\p{Nd}])([\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}][\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{M}]*)\p{Nd}[\p{L}\p{Nd}]*(?:[.,][\p{L}\p{Nd}]+)*/gu
const CURRENCIES = new Set([...Intl.supportedValuesOf('currency'), 'KR', 'RMB', 'RS'])
const withoutNamed = (lines: string): string =>
  lines.replace(NAMED, (name, letters: string) => (CURRENCIES.has(letters.toUpperCase()) ? name : letters))

/** Numbers that are mostly other words. As days of a month, they are numbers. */
const FIRST_DAYS: Partial<Record<string, [first: RegExp, second: RegExp]>> = {
  en: [/\bfirst\b/u, /\bsecond\b/u],
  de: [/\berste[nrsm]?\b/u, /\bzweite[nrsm]?\b/u],
  es: [/\bprimer[oa]?\b|\buno\b/u, /\bdos\b/u],
  fr: [/\bpremier\b|\b1er\b/u, /\bdeux\b/u],
  it: [/\bprimo\b/u, /\bdue\b/u],
  pt: [/\bprimeiro\b/u, /\bdois\b/u],
}

/** A month that is written in digits: `3/5`, `2024-03-05`, `3月`. */
const DIGIT_DATE = /\d{1,4}\s?[./-]\s?\d{1,2}|\d{1,2}\s?[月월]/u
const DIGITS = /^\d+$/
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/

const isNegative = ({ before }: Amount, spoken: string): boolean =>
  MINUS_WORD.test(before) || SIGN.test(spoken) || SIGN.test(before)

/** Creates the checks of values against lines in a language (BCP-47). */
export function createValueChecks(language: string): ValueChecks {
  const findAmounts = createAmountFinder(language)
  const findMonths = createCalendarSearch(language)
  const findStems = createStemFinder(language)
  const firstDays = FIRST_DAYS[languageOf(language)]
  const listNumbers = (lines: string): Set<number> => {
    const plain = withPlainDigits(lines)
    const runs = (plain.match(/\d+/g) ?? []).map(Number)
    return new Set([...findAmounts(nameUnits(lines)).flatMap(({ values }) => values), ...runs])
  }
  const saysNumber = (lines: string, value: number): boolean =>
    findAmounts(nameUnits(withoutNamed(lines))).some(
      (amount) =>
        !amount.isWeak &&
        amount.values.some((said) => isSame(said, Math.abs(value))) &&
        (value === 0 || isNegative(amount, amount.before) === value < 0),
    )
  return {
    saysNumber,
    saysDate(lines, date) {
      const [, year, month, day] = (ISO_DATE.exec(date) ?? []).map(Number)
      if (year === undefined || month === undefined || day === undefined) return false
      const numbers = listNumbers(lines)
      const isFirstSaid = firstDays?.[day - 1]?.test(lines.toLowerCase()) ?? false
      if (!numbers.has(year) || !(numbers.has(day) || isFirstSaid)) return false
      const months = findMonths(lines)
      if (months.has(month) || listNumberedMonths(lines).includes(month)) return true
      // Where the lines name another month, the number is no month.
      const namesMonth = [...months].some((entry) => entry <= MONTHS)
      return !namesMonth && DIGIT_DATE.test(withPlainDigits(lines)) && numbers.has(month)
    },
    saysWords(lines, text) {
      const stems = findStems(text)
      const said = findStems(lines)
      if (stems.size === 0) return lines.toLowerCase().includes(text.trim().toLowerCase())
      return [...stems].every((stem) => said.has(stem) || (DIGITS.test(stem) && saysNumber(lines, Number(stem))))
    },
  }
}

const MONTHS = 12
