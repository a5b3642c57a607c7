import { COORDINATED, foldForNegations } from '../language/find-negations.ts'
import type { FindStems } from '../language/find-stems.ts'
import { negationWordsOf } from '../language/negation-words.ts'
import { splitPlainly } from '../language/shared-stems.ts'
import type { Check } from './check.ts'

/** A part with more words says what it negates itself. */
const MAX_ELLIPTIC = 3
const MIN_FULL = 2
/** Words after a negation that it can be about: automatic captions have no borders between sentences. */
const REACH = 8
/** Nobody negates as often in a sentence: someone wants us to be busy. */
const MAX_NEGATIONS = 20

const CONTRASTS = 'but|while|whereas|although|though|yet|pero|mientras|mais|tandis|alors|aber|doch|mas|enquanto'
/** `A did not support it, but B did`. Without such a word, B is another that did not. */
const CONTRAST = new RegExp(String.raw`^\s*(?:${CONTRASTS})\s`, 'iu')
const BORDER = new RegExp(String.raw`[,;:،؛、，；：–—()]\s*|(?<=\s)(?=(?:${CONTRASTS}|and|y|et|und|e)\s)`, 'iu')
const splitParts = (sentence: string): string[] => sentence.split(BORDER).filter((part) => part.trim() !== '')

interface Part {
  isContrast: boolean
  stems: ReadonlySet<string>
  /** What follows each of its negations, and whether it is one of several at once. */
  negated: { after: ReadonlySet<string>; isCoordinated: boolean }[]
}

/** Returns the words of what two neighboring parts say without a negation, if one of them is short and one negated. */
function findAsserted(one: Part, other: Part): string[] {
  if (one.negated.length > 0 === other.negated.length > 0) return []
  const [full, elliptic] = one.stems.size >= other.stems.size ? [one, other] : [other, one]
  if (elliptic.stems.size === 0 || elliptic.stems.size > MAX_ELLIPTIC || full.stems.size < MIN_FULL) return []
  const [negated] = full.negated
  if (!negated) return [...full.stems]
  if (elliptic !== other || !other.isContrast) return []
  // The first word after the negation is what the other did.
  const [done] = negated.after
  return done === undefined ? [] : [...elliptic.stems, done]
}

/** Adds clauses without words of their own to those before them: `B | but not`. */
function joinEmpty(clauses: readonly string[], findStems: FindStems): string[] {
  const joined: string[] = []
  for (const clause of clauses) {
    if (joined.length === 0 || findStems(clause).size > 0) joined.push(clause)
    else joined.push(`${joined.pop()} ${clause}`)
  }
  return joined
}

/**
 * Creates the check of sentences that leave a verb out, as in `A supported it, but B did not`: the lines must not negate of A what
 * they negate of B, as in `neither A nor B supported it`. `language`: of both, BCP-47.
 */
export function createEllipsisCheck(language: string, findStems: FindStems): Check {
  const strong = negationWordsOf(language)?.strong
  const readPart = (text: string): Part => {
    const folded = foldForNegations(text)
    const isContrast = CONTRAST.test(folded)
    const negations = strong ? [...folded.matchAll(strong)].slice(0, MAX_NEGATIONS) : []
    const negated = negations.map(({ 0: negation, index }) => ({
      after: new Set([...findStems(folded.slice(index + negation.length))].slice(0, REACH)),
      isCoordinated: COORDINATED.test(negation),
    }))
    return { isContrast, stems: findStems(strong ? folded.replaceAll(strong, ' ') : folded), negated }
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
        const isNegated = ({ negated }: Part): boolean =>
          negated.some(({ after, isCoordinated }) => isCoordinated && stems.every((stem) => after.has(stem)))
        return saying.length === 0 || !saying.every(isNegated)
      })
    },
  }
}
