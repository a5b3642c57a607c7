import type { FoldedTranscript } from '../folding/fold-transcript.ts'
import { mayJoin, type Pattern } from './patterns.ts'

/** A place where a pattern is said, by the positions of its first and its last word in the transcript. */
export interface Match {
  /** The place of the pattern in its list. */
  pattern: number
  first: number
  last: number
}

type Pace = () => Promise<void>

const WORDS_PER_STEP = 4_000

/** The words of a pattern as places in the vocabulary of a transcript. */
type Sought = { pattern: number; words: { isJoined: boolean; places: ReadonlySet<number> }[] }

/** Returns the patterns whose words a transcript has, by the places of their first words in its vocabulary. */
function locate({ vocabulary }: FoldedTranscript, patterns: readonly Pattern[]): Map<number, Sought[]> {
  const byForm = new Map<string, Set<number>[]>()
  const sought = patterns.map((pattern, nth) => ({
    pattern: nth,
    words: pattern.map(({ forms, isJoined }) => {
      const places = new Set<number>()
      for (const form of forms) byForm.set(form, [...(byForm.get(form) ?? []), places])
      return { isJoined, places }
    }),
  }))
  for (const [place, { forms }] of vocabulary.entries()) {
    for (const form of forms) for (const places of byForm.get(form) ?? []) places.add(place)
  }
  const starting = new Map<number, Sought[]>()
  for (const each of sought) {
    const [first] = each.words
    if (!first || each.words.some(({ places }) => places.size === 0)) continue
    for (const place of first.places) starting.set(place, [...(starting.get(place) ?? []), each])
  }
  return starting
}

/**
 * Yields the places where patterns are said, in their order. Of the places of one pattern, none overlaps another. Calls `pace`
 * between small steps.
 */
export async function findMatches(
  transcript: FoldedTranscript,
  patterns: readonly Pattern[],
  pace: Pace,
): Promise<Match[]> {
  const { words } = transcript
  const starting = locate(transcript, patterns)
  if (starting.size === 0) return []
  const matches: Match[] = []
  const free = new Map<number, number>()
  for (let at = 0; at < words.length; at++) {
    if (at % WORDS_PER_STEP === 0) await pace()
    const sought = starting.get(words[at] ?? 0)
    if (!sought) continue
    for (const each of sought) {
      if (at < (free.get(each.pattern) ?? 0) || !isSaidAt(transcript, each, at)) continue
      const last = at + each.words.length - 1
      free.set(each.pattern, last + 1)
      matches.push({ pattern: each.pattern, first: at, last })
    }
  }
  return matches
}

function isSaidAt({ words, gaps, vocabulary }: FoldedTranscript, { words: sought }: Sought, at: number): boolean {
  for (let nth = 1; nth < sought.length; nth++) {
    const place = words[at + nth]
    const wanted = sought[nth]
    if (place === undefined || !wanted?.places.has(place)) return false
    const [before, after] = [vocabulary[words[at + nth - 1] ?? 0], vocabulary[place]]
    if (wanted.isJoined && before && after && !mayJoin(before, after, gaps[at + nth] ?? 0)) return false
  }
  return true
}
