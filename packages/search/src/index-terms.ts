import type { FoldedTranscript } from './folding/fold-transcript.ts'
import { mayJoin } from './matching/patterns.ts'

/** What a transcript is found by. */
export interface IndexTerms {
  /** A `tsvector` as text. */
  tsvector: string
  /** Whether it lacks some words, because they do not fit. */
  isPartial: boolean
}

type Pace = () => Promise<void>

const WORDS_PER_STEP = 4_000
const TERMS_PER_STEP = 2_000
/** The rank of a word does not rise any further after as many. */
const MAX_POSITIONS = 8
/** PostgreSQL allows 1,048,575 bytes for the words and their positions together. */
const MAX_BYTES = 1_000_000
const POSITIONS = Array.from({ length: MAX_POSITIONS + 1 }, (_, count) =>
  Array.from({ length: count }, (__, nth) => nth + 1).join(','),
)

/** Counts the terms of a transcript: words, pairs of letters where words are not separated, and letters that nothing follows. */
async function countTerms({ words, gaps, vocabulary }: FoldedTranscript, pace: Pace): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const add = (term: string): void => void counts.set(term, (counts.get(term) ?? 0) + 1)
  for (let at = 0; at < words.length; at++) {
    if (at % WORDS_PER_STEP === 0) await pace()
    const word = vocabulary[words[at] ?? 0]
    if (!word) continue
    const next = vocabulary[words[at + 1] ?? -1]
    if (word.kind === 'word') word.forms.forEach(add)
    else if (next && next.kind !== 'word' && mayJoin(word, next, gaps[at + 1] ?? 0)) {
      add(`${word.forms[0]}${next.forms[0]}`)
    } else add(word.forms[0] ?? '')
  }
  return counts
}

/** Bytes of a term in a `tsvector`, with the number of its positions and the padding before it. */
const measure = (term: string, positions: number): number => Buffer.byteLength(term) + 3 + 2 * positions

/**
 * Lists what a transcript is found by. Positions serve the frequency of a word alone, so they are numbered from 1. Calls `pace`
 * between small steps.
 */
export async function buildIndexTerms(
  transcript: FoldedTranscript,
  pace: Pace,
  maxBytes = MAX_BYTES,
): Promise<IndexTerms> {
  const counts = await countTerms(transcript, pace)
  const positionsOf = (count: number): number => Math.min(MAX_POSITIONS, count)
  let bytes = 0
  let bytesWithout = 0
  for (const [term, count] of counts) {
    bytes += measure(term, positionsOf(count))
    bytesWithout += measure(term, 0)
  }
  const hasPositions = bytes <= maxBytes
  const isPartial = bytesWithout > maxBytes
  const terms = isPartial ? [...counts].sort(([, one], [, other]) => other - one) : counts
  const parts: string[] = []
  let left = maxBytes
  for (const [term, count] of terms) {
    if (parts.length % TERMS_PER_STEP === 0) await pace()
    left -= isPartial ? measure(term, 0) : 0
    if (left < 0) break
    const quoted = `'${term.replace(/['\\]/g, '$&$&')}'`
    parts.push(hasPositions ? `${quoted}:${POSITIONS[positionsOf(count)]}` : quoted)
  }
  return { tsvector: parts.join(' '), isPartial }
}
