import type { SummaryPoint } from '@subtext/contracts'
import type { FindQuoted } from './checks/quotations.ts'
import type { Evidence } from './evidence.ts'
import type { FindStems } from './language/find-stems.ts'
import { buildClaimText } from './shown/build-claim-text.ts'

/** A statement as a model wrote it. */
export interface Claim {
  text: string
  segmentIds: number[]
  /** The quotations that the segments are said to contain, in the order of the segments. */
  quotes?: string[]
}

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
}

export interface CheckedClaim {
  /** Null if the claim must not be shown. A point without segments is shown as unsupported. */
  point: SummaryPoint | null
  citations: number
  supportedCitations: number
  isUnsupported: boolean
}

/**
 * The share of a claim's words that the cited segments must contain. For a long claim the share is smaller, but not the number
 * of words.
 */
const MIN_SHARE = 0.2
const MIN_SHARE_OF_LONG = 0.1
const ENOUGH_WORDS = 5

const minSharedWords = (words: number): number =>
  Math.max(1, Math.ceil(words * MIN_SHARE_OF_LONG), Math.min(ENOUGH_WORDS, Math.ceil(words * MIN_SHARE)))

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

type Support = 'full' | 'weak' | 'none'

function measureSupport(findStems: FindStems, claim: string, evidence: string): Support {
  const stems = findStems(claim)
  // The claim has only stop words, or digits in another script, so there is nothing to compare.
  if (stems.size === 0) return 'full'
  const spoken = findStems(evidence)
  let shared = 0
  for (const stem of stems) if (spoken.has(stem)) shared++
  if (shared >= minSharedWords(stems.size)) return 'full'
  return shared > 0 ? 'weak' : 'none'
}

/** Returns the document's numbers that support the claim, each judged by itself. */
function selectSupporting({ segmentIds, quotes = [] }: Claim, check: ClaimCheck): number[] {
  const { evidence, findQuoted } = check
  const found = findQuoted
    ? segmentIds.flatMap((id, index) => (evidence.segmentsOf(id).length > 0 ? findQuoted(id, quotes[index] ?? '') : []))
    : segmentIds
  return [...new Set(found)].filter((id) => evidence.segmentsOf(id).length > 0)
}

/** Returns whether a text shares a word with the text behind one number of the document. */
function sharesWords(text: string, id: number, { evidence, findStems, isEachCompared = false }: ClaimCheck): boolean {
  if (!isEachCompared || !findStems) return true
  const stems = findStems(text)
  const said = findStems(evidence.textOf([id], []))
  return stems.size === 0 || [...stems].some((stem) => said.has(stem))
}

const REJECTED: CheckedClaim = { point: null, citations: 0, supportedCitations: 0, isUnsupported: true }

/**
 * Checks a claim against the segments it cites. They have to exist, be in order, and share words with the claim or contain its
 * quotations. A claim that shares too few words is shown without its segments; one that shares none, or cites none, is not
 * shown.
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
  const support = check.findStems ? measureSupport(check.findStems, plain, evidence) : 'full'
  if (support === 'none') return rejected
  if (support === 'weak') return { ...rejected, point: { text: plain, segmentIds: [] } }
  return {
    point: { text: plain, segmentIds: segments },
    citations: ids.length,
    supportedCitations: Math.min(ids.length, countAscending(existing)),
    isUnsupported: false,
  }
}
