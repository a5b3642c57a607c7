import { foldForNegations } from '../language/find-negations.ts'
import { createOppositeFinder, type Opposite } from '../language/find-opposites.ts'
import type { FindStems } from '../language/find-stems.ts'
import { negationWordsOf } from '../language/negation-words.ts'
import { countShared } from '../language/shared-stems.ts'
import type { Check } from './check.ts'

/** Characters on each side of a word in which a negation may turn it round. */
const REACH = 16

type Stated = Opposite & { isNegated: boolean }

/**
 * Tells whether lines say only the opposite of a word where they speak of the same. A word that only one of them negates is left
 * to the check of negations: `did not fall` may be the same as `rose`.
 */
function isTurned(own: Stated, said: readonly Stated[]): boolean {
  let [same, opposite] = [0, 0]
  for (const { pair, side, isNegated, stems } of said) {
    if (pair !== own.pair) continue
    const shared = countShared(own.stems, stems)
    if (side !== own.side && isNegated === own.isNegated) opposite = Math.max(opposite, shared)
    else same = Math.max(same, shared + 1)
  }
  return opposite > 0 && opposite >= same
}

/**
 * Creates the check that a text does not turn round what its lines say: `rose` for `fell`, `approved` for `rejected`. It knows
 * pairs of a list, and passes every text of a language without one. `language`: of both, BCP-47.
 */
export function createOppositeCheck(language: string, findStems: FindStems): Check {
  const findOpposites = createOppositeFinder(language, findStems)
  const negation = negationWordsOf(language)
  const findStated = (text: string): Stated[] =>
    (findOpposites?.(text) ?? []).map((opposite) => {
      const near = `${opposite.before.slice(-REACH)} ${opposite.after.slice(0, REACH)}`
      return { ...opposite, isNegated: negation !== null && foldForNegations(near).search(negation.strong) >= 0 }
    })
  return {
    reason: 'contradicted',
    isPassed(text, { near }) {
      const own = findStated(text)
      if (own.length === 0) return true
      const said = findStated(near)
      return !own.some((opposite) => isTurned(opposite, said))
    },
  }
}
