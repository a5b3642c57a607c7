import {
  createCalendarFinder,
  createCalendarSearch,
  FIRST_WEEKDAY,
  listNumberedMonths,
} from '../language/calendar-words.ts'
import { createAmountFinder } from '../numbers/find-amounts.ts'
import type { Check } from './check.ts'

const isMonth = (entry: number): boolean => entry < FIRST_WEEKDAY
/** A month that is written in numerals, as Chinese and Japanese do. */
const NUMERAL_MONTH = /[一二三四五六七八九十]{1,2}\s?月/u
/** A month that is written in digits: `3/5`, `2024-03-05`, `3月`. */
const DIGIT_DATE = /\d{1,4}\s?[./-]\s?\d{1,2}|\d{1,2}\s?[月월]/u

/**
 * Creates the check that the lines name the months and the days of the week that a text names. Days of the month and years are
 * numbers. The languages are BCP-47 tags.
 */
export function createDateCheck(textLanguage: string, evidenceLanguage: string): Check {
  const [findInText, findInEvidence] = [createCalendarFinder(textLanguage), createCalendarFinder(evidenceLanguage)]
  const findAmounts = createAmountFinder(evidenceLanguage)
  return {
    reason: 'unsaid_number',
    isPassed(text, { sentences }) {
      const named = [...findInText(text)]
      if (named.length === 0) return true
      const said = findInEvidence(sentences)
      const unsaid = named.filter((entry) => !said.has(entry))
      if (unsaid.length === 0) return true
      if (!unsaid.every(isMonth) || !DIGIT_DATE.test(sentences)) return false
      const numbers = new Set(findAmounts(sentences).flatMap(({ values }) => values))
      return unsaid.every((month) => numbers.has(month))
    },
  }
}

/**
 * Creates the check that lines in another language name the months and the days of the week that a text names, as words or in
 * digits. In the lines, a word counts that could be something else, too: `March`. The languages are BCP-47 tags.
 */
export function createTranslatedDateCheck(language: string, linesLanguage: string): Check {
  const [findInText, findInLines] = [createCalendarFinder(language), createCalendarSearch(linesLanguage)]
  const findAmounts = createAmountFinder(linesLanguage)
  return {
    reason: 'unsaid_number',
    isPassed(text, { sentences }) {
      const named = [...new Set([...findInText(text), ...listNumberedMonths(text)])]
      if (named.length === 0) return true
      const said = findInLines(sentences)
      for (const month of listNumberedMonths(sentences)) said.add(month)
      const unsaid = named.filter((entry) => !said.has(entry))
      if (unsaid.length === 0) return true
      if (!unsaid.every(isMonth) || !(DIGIT_DATE.test(sentences) || NUMERAL_MONTH.test(sentences))) return false
      const numbers = new Set(findAmounts(sentences).flatMap(({ values }) => values))
      return unsaid.every((month) => numbers.has(month))
    },
  }
}
