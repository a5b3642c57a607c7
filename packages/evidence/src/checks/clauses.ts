import { languageOf } from '@subtext/captions'
import type { FindStems } from '../language/find-stems.ts'
import { countShared } from '../language/shared-stems.ts'
import type { Check } from './check.ts'

/** Words that begin a part of a sentence which says something of its own. */
const CONJUNCTIONS: Partial<Record<string, string>> = {
  en: 'and|but|because|so|although|though|while|whereas|since|which|who|until|before|after|when|where',
  es: 'y|e|pero|sino|porque|aunque|mientras|que|quien|cuando|donde|hasta',
  fr: 'et|mais|parce que|car|bien que|tandis que|qui|que|quand|où|puisque',
  de: 'und|aber|sondern|weil|obwohl|während|denn|die|der|das|bis|wenn',
  pt: 'e|mas|porque|embora|enquanto|que|quem|quando|onde|até',
  hi: 'और|लेकिन|पर|मगर|क्योंकि|हालाँकि|जब|जो|इसलिए',
  ar: 'لكن|ولكن|لأن|لأنه|لأنها|بينما|حيث|الذي|التي',
}
const PUNCTUATION = /[,;:،؛、，；：–—()]\s*/u
const BORDERS = new Map(
  Object.entries(CONJUNCTIONS).map(([language, words]) => [
    language,
    new RegExp(`${PUNCTUATION.source}|(?<=\\s)(?=(?:${words})\\s)`, 'iu'),
  ]),
)
/** A part that begins a sentence, such as "According to the speaker", says nothing of its own. */
const MAX_OPENING = 3
const MIN_SHARE = 0.4

type SplitClauses = (sentence: string) => string[]

/** Creates a function that splits a sentence at its commas and conjunctions. `language`: BCP-47. */
export function createClauseSplitter(language: string): SplitClauses {
  const border = BORDERS.get(languageOf(language)) ?? PUNCTUATION
  return (sentence) => sentence.split(border).filter((clause) => clause.trim() !== '')
}

/**
 * Tells whether each part of a sentence that says something of its own is said: of its words as large a share as of those of a
 * sentence. One of a single word says too little to tell.
 */
function areClausesSaid(clauses: readonly string[], said: ReadonlySet<string>, findStems: FindStems): boolean {
  return clauses.every((clause, index) => {
    const stems = findStems(clause)
    if (stems.size < 2 || (index === 0 && clauses.length > 1 && stems.size <= MAX_OPENING)) return true
    return countShared(stems, said) >= stems.size * MIN_SHARE
  })
}

/** Creates the check that the lines say each part of a sentence. `language`: BCP-47. */
export function createClauseCheck(language: string, findStems: FindStems): Check {
  const splitClauses = createClauseSplitter(language)
  return {
    reason: 'unsupported',
    isPassed: (sentence, { near }) => areClausesSaid(splitClauses(sentence), findStems(near), findStems),
  }
}
