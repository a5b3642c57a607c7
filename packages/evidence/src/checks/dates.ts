import { createCalendarFinder, FIRST_WEEKDAY } from '../language/calendar-words.ts'
import { createAmountFinder } from '../numbers/find-amounts.ts'
import type { Check } from './check.ts'

const isMonth = (entry: number): boolean => entry < FIRST_WEEKDAY
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
