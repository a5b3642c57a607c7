import { isSameLanguage } from '@subtext/captions'
import type { Amount } from '../numbers/amount.ts'
import { createAmountFinder } from '../numbers/find-amounts.ts'
import { isUnit, nameUnits } from '../numbers/units.ts'
import type { Check } from './check.ts'

/** A number of a text: the values that it may have, as `1.234` is 1234 or 1.234, and its units: two in `5 dollars an hour`. */
export interface NumberToSay {
  values: number[]
  units: readonly string[]
}

/** Checks that the numbers of a text are said in its lines. */
export interface NumberCheck extends Check {
  /** Returns the numbers of a text that have to be said. */
  listNumbers(text: string): NumberToSay[]
  /** Returns those of the numbers that the evidence does not say. */
  selectUnsaid(numbers: readonly NumberToSay[], evidence: string): NumberToSay[]
}

const WORD = /[\p{L}\p{M}]+/gu
/** Words between a number and the unit that belongs to it: `five more minutes`, `2 to 3 percent`. */
const MAX_BETWEEN = 2

/** Returns the units that stand beside a number. */
function unitsOf({ before, after }: Amount): string[] {
  const following = (after.match(WORD) ?? []).slice(0, MAX_BETWEEN).filter(isUnit)
  const last = (before.match(WORD) ?? []).at(-1) ?? ''
  // Other units before a number belong to the number before it: `two hours 30 minutes`.
  return isUnit(last) && before.trimEnd().endsWith(last) && CURRENCIES.has(last) ? [last, ...following] : following
}
const CURRENCIES = new Set(['euro', 'dollar', 'pound', 'yen', 'yuan', 'won', 'rupee', 'ruble', 'percent'])

/** `$5m` is five million dollars. */
const SHORT_SCALE = /([$€£¥₹]\s?\d[\d.,]*)\s?(k|m|b|t)(?!\p{L})/giu
const SCALE_NAMES: Record<string, string> = { k: 'thousand', m: 'million', b: 'billion', t: 'trillion' }
const spellScales = (text: string): string =>
  text.replace(SHORT_SCALE, (_, amount: string, scale: string) => `${amount} ${SCALE_NAMES[scale.toLowerCase()] ?? ''}`)

/** What English calls one without saying so: `an hour`, `per month`. */
const SINGLE = /\b(?:a|an|per|each|every|another)\s+(?:full\s+|single\s+|whole\s+)?(?=\p{L})/iu
const WEAK_UNITS = new Set(['day', 'second', 'minute'])

/** Tells whether the lines say a number of a text with a unit that they do not contradict. */
const isSame = (wanted: NumberToSay, said: NumberToSay): boolean =>
  wanted.values.some((value) => said.values.includes(value)) &&
  (wanted.units.length === 0 || said.units.length === 0 || wanted.units.some((unit) => said.units.includes(unit)))

/**
 * Creates the check whether the numbers of a text are said, in digits or in words, and with their units: one that is said with
 * another unit is another one. The languages are BCP-47 tags. For a language whose number words are not known, only digits are
 * compared. A number that was rounded, converted, summed or counted is not said. Words that may not be numbers, such as `one`,
 * need not be said.
 */
export function createNumberCheck(textLanguage: string, evidenceLanguage: string): NumberCheck {
  const [inText, inEvidence] = [createAmountFinder(textLanguage), createAmountFinder(evidenceLanguage)]
  const isEnglish = isSameLanguage(textLanguage, 'en')
  const listNumbers = (text: string): NumberToSay[] =>
    inText(nameUnits(spellScales(text))).flatMap((amount) => {
      const units = unitsOf(amount)
      const isOneOfUnit = isEnglish && amount.values[0] === 1 && units.some((unit) => !WEAK_UNITS.has(unit))
      return amount.isWeak && !isOneOfUnit ? [] : [{ values: amount.values, units }]
    })
  const selectUnsaid = (numbers: readonly NumberToSay[], evidence: string): NumberToSay[] => {
    if (numbers.length === 0) return []
    const said = inEvidence(nameUnits(spellScales(evidence))).map((amount) => ({
      values: amount.values,
      units: unitsOf(amount),
    }))
    if (isSameLanguage(evidenceLanguage, 'en') && SINGLE.test(evidence)) said.push({ values: [1], units: [] })
    return numbers.filter((number) => !said.some((other) => isSame(number, other)))
  }
  return {
    reason: 'unsaid_number',
    isPassed: (text, { sentences }) => selectUnsaid(listNumbers(text), sentences).length === 0,
    listNumbers,
    selectUnsaid,
  }
}
