import type { FoldedTranscript } from './folding/fold-transcript.ts'
import { GAP } from './folding/fold-transcript.ts'
import type { Match } from './matching/find-matches.ts'
import { byFit, type ScoredPassage } from './ranking/score-passages.ts'

/** A passage as a reader is shown it. */
export interface QuotedPassage {
  /** Positions of its segments, from 1. */
  first: number
  last: number
  startMs: number
  endMs: number
  text: string
  /** Words of the text that match, in UTF-16 code units. */
  highlights: [from: number, to: number][]
}

/** Returns the position of the segment, from 1, in which a place of the text is. */
export function findSegment({ segments }: FoldedTranscript, place: number): number {
  let low = 0
  let high = segments.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((segments[middle] ?? 0) <= place) low = middle
    else high = middle
  }
  return low + 1
}

/**
 * Returns the places in the text that a match covers. Words with Hangul are covered as a whole, with the particles and the letters
 * of other scripts that belong to them.
 */
function placeOf({ vocabulary, words, gaps, starts, lengths }: FoldedTranscript, match: Match): [number, number] {
  let { first, last } = match
  const kindOf = (at: number) => vocabulary[words[at] ?? -1]?.kind
  /** Whether a word and the one before it are parts of one. */
  const belongs = (at: number): boolean => {
    const kinds = [kindOf(at - 1), kindOf(at)]
    return gaps[at] === GAP.none && kinds.includes('syllable') && !kinds.includes('letter')
  }
  while (first > 0 && belongs(first)) first--
  while (last + 1 < words.length && belongs(last + 1)) last++
  return [starts[first] ?? 0, (starts[last] ?? 0) + (lengths[last] ?? 0)]
}

function mergePlaces(places: [number, number][]): [number, number][] {
  const merged: [number, number][] = []
  for (const [from, to] of places.sort(([a], [b]) => a - b)) {
    const before = merged.at(-1)
    if (before && from <= before[1]) before[1] = Math.max(before[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Moves the ends of a passage so that each of its matches is in it as a whole. */
function widen(transcript: FoldedTranscript, { first, last, matches }: ScoredPassage): { first: number; last: number } {
  let end = last
  for (const match of matches) end = Math.max(end, findSegment(transcript, placeOf(transcript, match)[1] - 1))
  return { first, last: end }
}

/**
 * Returns the best passages with their matches, at most `max`, the best first. No segment is in two of them, and each match that
 * begins in one is whole.
 */
export function quotePassages(
  transcript: FoldedTranscript,
  passages: readonly ScoredPassage[],
  max: number,
): QuotedPassage[] {
  const places = passages.flatMap(({ matches }) => matches.map((match) => placeOf(transcript, match)))
  const quoted: QuotedPassage[] = []
  for (const passage of byFit(passages)) {
    if (quoted.length === max) break
    if (passage.matches.length === 0) continue
    const wide = widen(transcript, passage)
    let { first } = wide
    let { last } = wide
    // A passage that was widened may reach into this one, and this one into the next.
    for (const other of quoted) {
      if (other.first <= first && other.last >= first) first = other.last + 1
      if (other.first > first && other.first <= last) last = other.first - 1
    }
    if (first > last) continue
    const from = transcript.segments[first - 1] ?? 0
    const to = (transcript.segments[last] ?? 0) - 1
    // Merged only here, because one that reaches beyond the passage must not take others along.
    const highlights = mergePlaces(
      places
        .filter(([start, end]) => start >= from && end <= to)
        .map(([start, end]): [number, number] => [start - from, end - from]),
    )
    if (highlights.length === 0) continue
    quoted.push({
      first,
      last,
      startMs: transcript.startsMs[first - 1] ?? 0,
      endMs: transcript.endsMs[last - 1] ?? 0,
      text: transcript.text.slice(from, to),
      highlights,
    })
  }
  return quoted
}
