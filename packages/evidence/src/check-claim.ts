import type { SummaryPoint } from '@subtext/contracts'
import { type Check, findReason } from './checks/check.ts'
import { type FindQuoted, resolveCitation } from './checks/quotations.ts'
import { sharesEnough } from './checks/words.ts'
import { type Claim, listCitations } from './claim.ts'
import type { Evidence } from './evidence.ts'
import type { FindStems } from './language/find-stems.ts'
import { sharesStem } from './language/shared-stems.ts'
import { buildClaimText } from './shown/build-claim-text.ts'

export interface ClaimCheck {
  evidence: Evidence
  /** Null if claim and evidence are in different languages, where even a correct claim shares few words. */
  findStems: FindStems | null
  /** Finds quotations in the evidence. If set, segments are cited only if they contain what the claim quotes from them. */
  findQuoted?: FindQuoted
  /** Whether each segment or note has to share words with the claim, not only all of them together. */
  isEachCompared?: boolean
  /** Returns whether a text repeats our own prompt. */
  isLeak(text: string): boolean
  /** Returns whether a text is in the script of the requested language. */
  isInScript(text: string): boolean
  /** The checks that a claim has to pass besides sharing words with its segments or quoting them: see `createClaimChecks`. */
  checks: readonly Check[]
}

export interface CheckedClaim {
  /** Null if the claim must not be shown. */
  point: SummaryPoint | null
  citations: number
  supportedCitations: number
  isUnsupported: boolean
}

/** Encoded text, which is not speech. */
const ENCODED = /[\w+/=-]{60}/

const countAscending = (ids: number[]): number => {
  let last = Number.NEGATIVE_INFINITY
  return ids.filter((id) => {
    const ascends = id > last
    if (ascends) last = id
    return ascends
  }).length
}

/** Returns the document's numbers that support the claim, each judged by itself. */
function selectSupporting(claim: Claim, { evidence, findQuoted }: ClaimCheck): number[] {
  const exists = (id: number): boolean => evidence.segmentsOf(id).length > 0
  const existing = listCitations(claim).filter(({ id }) => exists(id))
  const found = existing.flatMap((citation) =>
    findQuoted ? resolveCitation(citation, findQuoted, true) : [citation.id],
  )
  return [...new Set(found)].filter(exists)
}

/** Returns whether a text shares a word with the text behind one number of the document. */
function sharesWords(text: string, id: number, { evidence, findStems, isEachCompared = false }: ClaimCheck): boolean {
  if (!isEachCompared || !findStems) return true
  const stems = findStems(text)
  const said = findStems(evidence.textOf([id], []))
  return stems.size === 0 || sharesStem(stems, said)
}

const REJECTED: CheckedClaim = { point: null, citations: 0, supportedCitations: 0, isUnsupported: true }

/**
 * Checks a claim against the segments it cites. They have to exist, share enough words with the claim or contain its
 * quotations, and agree with it in every further check. A claim that cites no such segment is not shown.
 */
export function checkClaim(claim: Claim, check: ClaimCheck): CheckedClaim {
  const { text } = claim
  const ids = [...new Set(claim.segmentIds)]
  const existing = selectSupporting(claim, check).filter((id) => sharesWords(text, id, check))
  const segments = [...new Set(existing.flatMap((id) => check.evidence.segmentsOf(id)))].sort((a, b) => a - b)
  const evidence = check.evidence.textOf(existing, segments)
  const plain = buildClaimText(text, evidence)
  const rejected = { ...REJECTED, citations: ids.length }
  if (plain === '') return { ...rejected, isUnsupported: false }
  if (existing.length === 0 || ENCODED.test(plain) || check.isLeak(plain) || !check.isInScript(plain)) return rejected
  if (check.findStems && !sharesEnough(check.findStems, plain, evidence)) return rejected
  const quotes = claim.quotes?.flatMap((quote) => quote ?? [])
  const lines = { ...check.evidence.linesOf(segments, existing), ...(quotes && { quotes }) }
  if (findReason(plain, lines, check.checks) !== null) return rejected
  return {
    point: { text: plain, segmentIds: segments },
    citations: ids.length,
    supportedCitations: Math.min(ids.length, countAscending(existing)),
    isUnsupported: false,
  }
}
