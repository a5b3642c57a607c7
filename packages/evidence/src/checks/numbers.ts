import { createAmountFinder } from '../numbers/find-amounts.ts'

/** A number of a text: the values that it may have, as `1.234` is 1234 or 1.234. */
export type NumberToSay = number[]

/** Looks for the numbers of a text in what is said. */
export interface NumberCheck {
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
  return {
    listNumbers: (text) => inText(text).flatMap(({ isWeak, values }) => (isWeak ? [] : [values])),
    selectUnsaid(numbers, evidence) {
      if (numbers.length === 0) return []
      const said = new Set(inEvidence(evidence).flatMap(({ values }) => values))
      return numbers.filter((values) => !values.some((value) => said.has(value)))
    },
  }
}
