import type { FindStems } from '../language/find-stems.ts'
import { rateSentences } from '../language/shared-stems.ts'
import type { Check } from './check.ts'
import { createNumberCheck, type NumberToSay } from './numbers.ts'

/** A shorter text says too little to tell which sentence it repeats. */
const MIN_WORDS = 3
const [FIRST_YEAR, LAST_YEAR] = [1_500, 2_100]
const NUMBER = /\p{N}/u

/** What numbers have in common that can stand in each other's place: a unit, or that they are years. */
function kindsOf({ values: [value = 0], units, counted }: NumberToSay): readonly string[] {
  if (units.length > 0) return units
  const isYear = Number.isInteger(value) && value >= FIRST_YEAR && value <= LAST_YEAR && counted === null
  return isYear ? ['calendar year'] : []
}

const sharesKind = (one: NumberToSay, other: NumberToSay): boolean =>
  kindsOf(one).some((kind) => kindsOf(other).includes(kind))

/**
 * Creates the check that a text which repeats a sentence of its lines has none of its numbers replaced by one that the lines say
 * of something else. `language`: of both, BCP-47.
 */
export function createReplacedNumberCheck(language: string, findStems: FindStems): Check {
  const { reason, listNumbers, selectUnsaid } = createNumberCheck(language, language)
  return {
    reason,
    isPassed(text, { near }) {
      const numbers = listNumbers(text).filter((number) => kindsOf(number).length > 0)
      if (numbers.length === 0) return true
      const words = new Set([...findStems(text)].filter((stem) => !NUMBER.test(stem)))
      if (words.size < MIN_WORDS) return true
      const repeated = rateSentences(words, near, findStems).filter(({ shared }) => shared === words.size)
      return (
        repeated.length === 0 ||
        repeated.some(({ sentence }) => {
          const unsaid = selectUnsaid(numbers, sentence)
          const replaced = unsaid.length === 0 ? [] : selectUnsaid(listNumbers(sentence), text)
          return !unsaid.some((number) => replaced.some((other) => sharesKind(number, other)))
        })
      )
    },
  }
}
