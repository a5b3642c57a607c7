import { foldForNegations } from '../language/find-negations.ts'
import type { FindStems } from '../language/find-stems.ts'
import { negationWordsOf } from '../language/negation-words.ts'
import { splitPlainly } from '../language/shared-stems.ts'
import type { Check } from './check.ts'

/** A part with more words says what it negates itself. */
const MAX_ELLIPTIC = 3
const MIN_FULL = 2

const CONTRASTS = 'but|while|whereas|although|though|yet|pero|mientras|mais|tandis|alors|aber|doch|mas|enquanto'
/** `A did not support it, but B did`. Without such a word, B is another that did not. */
const CONTRAST = new RegExp(String.raw`^\s*(?:${CONTRASTS})\s`, 'iu')
const BORDER = new RegExp(String.raw`[,;:،؛、，；：–—()]\s*|(?<=\s)(?=(?:${CONTRASTS}|and|y|et|und|e)\s)`, 'iu')
const splitParts = (sentence: string): string[] => sentence.split(BORDER).filter((part) => part.trim() !== '')

interface Part {
  isContrast: boolean
  stems: Set<string>
  /** What follows its first negation; null without any. */
  negated: Set<string> | null
}

/** Returns the words of what two neighboring parts say without a negation, if one of them is short and one negated. */
function findAsserted(one: Part, other: Part): string[] {
  if ((one.negated === null) === (other.negated === null)) return []
  const [full, elliptic] = one.stems.size >= other.stems.size ? [one, other] : [other, one]
  if (elliptic.stems.size === 0 || elliptic.stems.size > MAX_ELLIPTIC || full.stems.size < MIN_FULL) return []
  if (full.negated === null) return [...full.stems]
  if (elliptic !== other || !other.isContrast) return []
  // The first word after the negation is what the other did.
  const [done] = full.negated
  return done === undefined ? [] : [...elliptic.stems, done]
}

/** Adds clauses without words of their own to those before them: `B | but not`. */
const joinEmpty = (clauses: readonly string[], findStems: FindStems): string[] =>
  clauses.reduce<string[]>((joined, clause) => {
    const last = joined.at(-1)
    return last === undefined || findStems(clause).size > 0 ? [...joined, clause] : [...joined.slice(0, -1), `${last} ${clause}`]
  }, [])

/**
 * Creates the check of sentences that leave a verb out, as in `A supported it, but B did not`: the lines must not negate of A what
 * they negate of B, as in `neither A nor B supported it`. `language`: of both, BCP-47.
 */
export function createEllipsisCheck(language: string, findStems: FindStems): Check {
  const strong = negationWordsOf(language)?.strong
  const readPart = (text: string): Part => {
    const folded = foldForNegations(text)
    const isContrast = CONTRAST.test(folded)
    const [negation] = strong ? folded.matchAll(strong) : []
    if (!negation) return { isContrast, stems: findStems(folded), negated: null }
    const after = folded.slice(negation.index + negation[0].length)
    return { isContrast, stems: findStems(`${folded.slice(0, negation.index)} ${after}`), negated: findStems(after) }
  }
  return {
    reason: 'contradicted',
    isPassed(sentence, { near }) {
      const parts = joinEmpty(splitParts(sentence), findStems).map(readPart)
      const asserted = parts
        .map((part, index) => findAsserted(parts[index - 1] ?? part, part))
        .filter((stems) => stems.length > 0)
      if (asserted.length === 0) return true
      const saidParts = splitPlainly(near).flatMap(splitParts).map(readPart)
      return asserted.every((stems) => {
        const saying = saidParts.filter((part) => stems.every((stem) => part.stems.has(stem)))
        return saying.length === 0 || !saying.every(({ negated }) => stems.every((stem) => negated?.has(stem)))
      })
    },
  }
}
