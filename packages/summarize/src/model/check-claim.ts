import type { SummaryPoint } from '@subtext/contracts'
import type { FixedHeadings } from '../extractive/fixed-headings.ts'
import { buildClaimText } from './claim-text.ts'
import type { Evidence } from './evidence.ts'
import type { FindStems } from './words.ts'

/** A statement as a model made it. */
export interface Claim {
  text: string
  segmentIds: number[]
}

export interface ClaimCheck {
  evidence: Evidence
  /** Null where claim and transcript are in different languages and share few words however right the claim is. */
  findStems: FindStems | null
  /** Repeats what only we have said to the model. */
  isLeak(text: string): boolean
  /** The same for a few words. */
  isHeadingLeak(text: string): boolean
  /** Of the parts whose headings do not depend on the video; null for languages we have none for. */
  fixedHeadings: FixedHeadings | null
  /** Is written in the script of the wanted language. */
  isInScript(text: string): boolean
}

export interface CheckedClaim {
  /** Null for what must not be shown. Without segments: shown, but nothing bears it out. */
  point: SummaryPoint | null
  citations: number
  supportedCitations: number
  isUnsupported: boolean
}

/** Share of a claim's words that have to be said where it says they are; of long ones a smaller share, and not fewer words. */
const ENOUGH = 0.2
const ENOUGH_OF_LONG = 0.1
const LONG_ENOUGH = 5

const leastShared = (words: number): number =>
  Math.max(1, Math.ceil(words * ENOUGH_OF_LONG), Math.min(LONG_ENOUGH, Math.ceil(words * ENOUGH)))

/** Nobody says that: it is something in another guise. */
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

function judge(findStems: FindStems, claim: string, said: string): Support {
  const stems = findStems(claim)
  // Nothing but common words or digits of another spelling: there is nothing to compare.
  if (stems.size === 0) return 'full'
  const spoken = findStems(said)
  let shared = 0
  for (const stem of stems) if (spoken.has(stem)) shared++
  if (shared >= leastShared(stems.size)) return 'full'
  return shared > 0 ? 'weak' : 'none'
}

const REJECTED: CheckedClaim = { point: null, citations: 0, supportedCitations: 0, isUnsupported: true }

/**
 * A claim as it may be shown. Its segments have to exist, to be in order and to share words with it; one that shares too
 * few is shown without them, one that shares none or names none is not shown at all.
 */
export function checkClaim({ text, segmentIds }: Claim, check: ClaimCheck): CheckedClaim {
  const ids = [...new Set(segmentIds)]
  const existing = ids.filter((id) => check.evidence.segmentsOf(id).length > 0)
  const segments = [...new Set(existing.flatMap((id) => check.evidence.segmentsOf(id)))].sort((a, b) => a - b)
  const said = check.evidence.textOf(existing, segments)
  const plain = buildClaimText(text, said)
  const rejected = { ...REJECTED, citations: ids.length }
  if (plain === '') return { ...rejected, isUnsupported: false }
  if (existing.length === 0 || ENCODED.test(plain) || check.isLeak(plain) || !check.isInScript(plain)) return rejected
  const support = check.findStems ? judge(check.findStems, plain, said) : 'full'
  if (support === 'none') return rejected
  if (support === 'weak') return { ...rejected, point: { text: plain, segmentIds: [] } }
  return {
    point: { text: plain, segmentIds: segments },
    citations: ids.length,
    supportedCitations: countAscending(existing),
    isUnsupported: false,
  }
}
