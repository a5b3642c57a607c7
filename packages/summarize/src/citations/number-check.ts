import { createAmountFinder } from './said-amounts.ts'

/** Returns how many numbers of `text` the `evidence` does not say. */
export type CountUnsaidNumbers = (text: string, evidence: string) => number

/**
 * Creates the check whether the numbers of a text are said, in digits or in words. The languages are BCP-47 tags. For a
 * language whose number words are not known, only digits are compared. Words that may not be numbers, such as `one`, need not
 * be said.
 */
export function createNumberCheck(textLanguage: string, evidenceLanguage: string): CountUnsaidNumbers {
  const [inText, inEvidence] = [createAmountFinder(textLanguage), createAmountFinder(evidenceLanguage)]
  return (text, evidence) => {
    const wanted = inText(text).filter(({ isWeak }) => !isWeak)
    if (wanted.length === 0) return 0
    const said = new Set(inEvidence(evidence).flatMap(({ values }) => values))
    return wanted.filter(({ values }) => !values.some((value) => said.has(value))).length
  }
}
