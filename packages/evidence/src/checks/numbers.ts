import { createAmountFinder } from '../numbers/find-amounts.ts'
import type { Check } from './check.ts'

/** A number of a text: the values that it may have, as `1.234` is 1234 or 1.234. */
export type NumberToSay = number[]

/** Checks that the numbers of a text are said near its lines. */
export interface NumberCheck extends Check {
  /** Returns the numbers of a text that have to be said. */
  listNumbers(text: string): NumberToSay[]
  /** Returns those of the numbers that the evidence does not say. */
  selectUnsaid(numbers: readonly NumberToSay[], evidence: string): NumberToSay[]
}

/**
 * Creates the check whether the numbers of a text are said, in digits or in words. The languages are BCP-47 tags. For a
 * language whose number words are not known, only digits are compared. Words that may not be numbers, such as `one`, need not
 * be said.
 */
export function createNumberCheck(textLanguage: string, evidenceLanguage: string): NumberCheck {
  const [inText, inEvidence] = [createAmountFinder(textLanguage), createAmountFinder(evidenceLanguage)]
  const listNumbers = (text: string): NumberToSay[] =>
    inText(text).flatMap(({ isWeak, values }) => (isWeak ? [] : [values]))
  const selectUnsaid = (numbers: readonly NumberToSay[], evidence: string): NumberToSay[] => {
    if (numbers.length === 0) return []
    const said = new Set(inEvidence(evidence).flatMap(({ values }) => values))
    return numbers.filter((values) => !values.some((value) => said.has(value)))
  }
  return {
    reason: 'unsaid_number',
    isPassed: (text, { near }) => selectUnsaid(listNumbers(text), near).length === 0,
    listNumbers,
    selectUnsaid,
  }
}
