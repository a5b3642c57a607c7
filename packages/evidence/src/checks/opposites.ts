import { foldForNegations } from '../language/find-negations.ts'
import { createOppositeFinder, type Opposite } from '../language/find-opposites.ts'
import type { FindStems } from '../language/find-stems.ts'
import { negationWordsOf } from '../language/negation-words.ts'
import { countShared } from '../language/shared-stems.ts'
import type { Check } from './check.ts'

/** Characters on each side of a word in which a negation turns it round. */
const REACH = 16

/** Tells whether lines say only the opposite of a word where they speak of the same. */
function isTurned(own: Opposite, said: readonly Opposite[]): boolean {
  let [same, opposite] = [0, 0]
  for (const { side, stems } of said) {
    const shared = countShared(own.stems, stems)
    if (side === own.side) same = Math.max(same, shared + 1)
    else opposite = Math.max(opposite, shared)
  }
  return opposite > 0 && opposite >= same
}

/**
 * Creates the check that a text does not turn round what its lines say: `rose` for `fell`, `approved` for `rejected`. It knows
 * pairs of a list, and passes every text of a language without one. What is negated is left to the check of negations.
 * `language`: of both, BCP-47.
 */
export function createOppositeCheck(language: string, findStems: FindStems): Check {
  const findOpposites = createOppositeFinder(language, findStems)
  const negation = negationWordsOf(language)
  const isNegatedIn = (text: string): ((opposite: Opposite) => boolean) => {
    const folded = foldForNegations(text)
    return ({ start, end }) =>
      negation !== null && folded.slice(Math.max(0, start - REACH), end + REACH).search(negation.strong) >= 0
  }
  return {
    reason: 'contradicted',
    isPassed(text, { near }) {
      const isNegated = isNegatedIn(text)
      const own = findOpposites?.(text).filter((opposite) => !isNegated(opposite)) ?? []
      if (!findOpposites || own.length === 0) return true
      const isNegatedThere = isNegatedIn(near)
      // `Did not fall` may be the same as `rose`.
      const said = findOpposites(near).flatMap((opposite): Opposite[] =>
        isNegatedThere(opposite) ? [opposite, { ...opposite, side: opposite.side === 0 ? 1 : 0 }] : [opposite],
      )
      return !own.some((opposite) =>
        isTurned(
          opposite,
          said.filter(({ pair }) => pair === opposite.pair),
        ),
      )
    },
  }
}
