import type { FindStems } from '../language/find-stems.ts'
import { sharesStem } from '../language/shared-stems.ts'
import type { Amount, FindAmounts } from '../numbers/amount.ts'
import { createAmountFinder } from '../numbers/find-amounts.ts'
import { withPlainDigits } from '../numbers/plain-digits.ts'
import { nameUnits } from '../numbers/units.ts'

/** What has to be said: the number, the unit without its scale (`million` is part of the number), and the sign. */
export interface AmountToSay {
  values: number[]
  unitWords: string[]
  isNegative: boolean
}

const VALUE = /^[-−]?\d[\d.,'’\u00A0\u202F ]{0,18}$/
const MINUS = /(?:[-−]|minus|menos|moins|meno|минус|マイナス|영하|零下|माइनस|ناقص)\s?$/
const UNIT_WORD = /[\p{L}\p{M}]+/gu

/** Reads a number in digits and its unit. Returns null if they are anything else. */
export function readAmount(value: string, unit: string, findAmounts: FindAmounts): AmountToSay | null {
  const digits = withPlainDigits(value).trim()
  const name = nameUnits(unit).trim()
  if (!VALUE.test(digits) || /\d/.test(withPlainDigits(unit))) return null
  const [amount, ...others] = findAmounts(`${digits.replace(/^[-−]/, '')} ${name}`)
  if (!amount || others.length > 0) return null
  return { values: amount.values, unitWords: amount.after.match(UNIT_WORD) ?? [], isNegative: /^[-−]/.test(digits) }
}

const isSameUnit = ({ before, after }: Amount, words: readonly string[], findStems: FindStems): boolean => {
  const around = `${before} ${after}`
  const stems = findStems(around)
  return words.every((word) => around.includes(word) || sharesStem(findStems(word), stems))
}

/** Tells whether a text says an amount, with its unit if `needsUnit` is set. */
type SaysAmount = (text: string, amount: AmountToSay, needsUnit: boolean) => boolean

/** Creates the search for amounts in texts of a language (BCP-47), in digits or in words. */
export function createAmountSearch(language: string, findStems: FindStems): SaysAmount {
  const findAmounts = createAmountFinder(language)
  return (text, { values, unitWords, isNegative }, needsUnit) =>
    findAmounts(nameUnits(text)).some(
      (amount) =>
        amount.values.some((value) => values.includes(value)) &&
        MINUS.test(amount.before) === isNegative &&
        (!needsUnit || isSameUnit(amount, unitWords, findStems)),
    )
}
