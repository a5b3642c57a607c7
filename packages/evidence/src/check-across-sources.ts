import type { CheckedStatement, CheckStatement } from './check-statement.ts'
import { createClauseSplitter } from './checks/clauses.ts'
import { type CitedSegment, type Claim, listCitations } from './claim.ts'
import { buildClaimText } from './shown/build-claim-text.ts'

export interface SharedCheckOptions {
  /** Returns the check against the source that a line of the document is from; undefined for lines that the document lacks. */
  checkOf(id: number): CheckStatement | undefined
  /** Of the answer, BCP-47. */
  language: string
}

/** A part of a sentence has to say something by itself: with fewer words it belongs to its neighbor. */
const MIN_WORDS = 3
const MIN_LETTERS = 6
/** A sentence about two sources has few parts. */
const MAX_CLAUSES = 6
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu
/** Words that stand for a subject of another part, which may come from another source. */
const PRONOUN =
  /^(?:(?:and|but|while|whereas|y|e|pero|mientras|et|mais|und|aber|während|mas|enquanto)\s+)?(?:s?he|it|they|his|hers?|its|theirs?|this|that|these|those|which|who|él|ella|ellos|ellas|elle|ils?|elles|sie|er|es|ihre?|seine?|ele|ela|eles|elas|それ|彼|彼女|它|他|她|그)(?=[\s,]|$)/iu

const isWhole = (clause: string): boolean =>
  (clause.match(UNSPACED)?.length ?? 0) >= MIN_LETTERS || (clause.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= MIN_WORDS

/** Returns the parts of a sentence that can be understood by themselves. */
function joinClauses(clauses: readonly string[]): string[] {
  const joined: string[] = []
  let rest = ''
  for (const clause of clauses) {
    const text = rest === '' ? clause.trim() : `${rest}, ${clause.trim()}`
    rest = isWhole(text) ? '' : text
    if (rest === '') joined.push(text)
  }
  const last = joined.pop()
  return rest === '' || last === undefined ? [...joined, last ?? rest] : [...joined, `${last}, ${rest}`]
}

const isSupported = (checked: CheckedStatement): checked is Extract<CheckedStatement, { text: string }> =>
  'text' in checked

/**
 * Creates the check of statements that rest on lines of several sources. What a single source says as a whole is cited from each
 * source that does. Otherwise, every part of the statement has to be said by one of them; what one says must not be completed
 * with words of another.
 */
export function createSharedStatementCheck({ checkOf, language }: SharedCheckOptions): CheckStatement {
  const splitClauses = createClauseSplitter(language)

  const checkClauses = (text: string, sources: ReadonlyMap<CheckStatement, CitedSegment[]>): CheckedStatement => {
    const clauses = joinClauses(splitClauses(text))
    if (clauses.length < 2 || clauses.length > MAX_CLAUSES) return { dropped: 'unsupported' }
    if (clauses.slice(1).some((clause) => PRONOUN.test(clause))) return { dropped: 'unsupported' }
    const segmentIds: number[] = []
    for (const clause of clauses) {
      const checked = [...sources].map(([check, citations]) => check(toClaim(clause, citations)))
      const supported = checked.filter(isSupported)
      if (supported.length === 0) return checked[0] ?? { dropped: 'unsupported' }
      segmentIds.push(...supported.flatMap((each) => each.segmentIds))
    }
    return { text: buildClaimText(text, ''), segmentIds: inOrder(segmentIds) }
  }

  return (claim) => {
    const sources = new Map<CheckStatement, CitedSegment[]>()
    for (const citation of listCitations(claim)) {
      const check = checkOf(citation.id)
      if (check) sources.set(check, [...(sources.get(check) ?? []), citation])
    }
    const checked = [...sources].map(([check, citations]) => check(toClaim(claim.text, citations)))
    const [first, ...others] = checked.filter(isSupported)
    if (first) {
      return { text: first.text, segmentIds: inOrder([first, ...others].flatMap(({ segmentIds }) => segmentIds)) }
    }
    return sources.size > 1 ? checkClauses(claim.text, sources) : (checked[0] ?? { dropped: 'unsupported' })
  }
}

const toClaim = (text: string, citations: readonly CitedSegment[]): Claim => ({
  text,
  segmentIds: citations.map(({ id }) => id),
  quotes: citations.map(({ quote }) => quote),
})

const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
