import type { FoldedTranscript } from '../folding/fold-transcript.ts'
import type { Match } from '../matching/find-matches.ts'
import { type Passage, splitPassages } from './split-passages.ts'

type Pace = () => Promise<void>

/** Parameters of BM25: how soon further occurrences of a term stop mattering, and how much the length of a passage matters. */
const K1 = 0.9
const B = 0.4
/** Share of the score of its neighbors that a passage gets. */
const NEIGHBOR_WEIGHT = 0.4

/** A passage with the number of its words and what it says of what is looked for. */
export interface CountedPassage extends Passage {
  length: number
  matches: Match[]
}

export interface ScoredPassage extends CountedPassage {
  score: number
}

/** Returns the texts of the segments of a transcript. */
export const segmentsOf = ({ text, segments }: FoldedTranscript): { text: string }[] =>
  Array.from({ length: segments.length - 1 }, (_, nth) => ({
    text: text.slice(segments[nth], (segments[nth + 1] ?? 0) - 1),
  }))

/** Splits a transcript into passages and assigns each match to the passage in which it begins. Calls `pace` between steps. */
export async function countPassages(
  transcript: FoldedTranscript,
  matches: readonly Match[],
  pace: Pace,
  words?: number,
): Promise<CountedPassage[]> {
  const passages: CountedPassage[] = []
  let word = 0
  let match = 0
  for (const passage of splitPassages(segmentsOf(transcript), words)) {
    await pace()
    const end = transcript.segments[passage.last] ?? 0
    const first = word
    while (word < transcript.words.length && (transcript.starts[word] ?? 0) < end) word++
    const own: Match[] = []
    for (let each = matches[match]; each && each.first < word; each = matches[match]) {
      own.push(each)
      match++
    }
    passages.push({ ...passage, length: word - first, matches: own })
  }
  return passages
}

/**
 * Scores the passages of some transcripts together by any of the weighted patterns: a passage need not have all of them, and one
 * that few passages have counts for more. `weights`: of each pattern, which has the same place for every transcript.
 */
export async function scorePassages(
  transcripts: readonly CountedPassage[][],
  weights: readonly number[],
  pace: Pace,
): Promise<ScoredPassage[][]> {
  const all = transcripts.flat()
  const averageLength = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length)
  const counts = all.map(({ matches }) => countByPattern(matches))
  const scores = new Float64Array(all.length)
  for (const [pattern, weight] of weights.entries()) {
    await pace()
    const containing = counts.reduce((sum, each) => sum + (each?.has(pattern) ? 1 : 0), 0)
    if (containing === 0 || weight === 0) continue
    const rarity = Math.log(1 + (all.length - containing + 0.5) / (containing + 0.5))
    for (const [place, each] of counts.entries()) {
      const count = each?.get(pattern)
      if (!count) continue
      const saturation = count + K1 * (1 - B + (B * (all[place]?.length ?? 0)) / averageLength)
      scores[place] = (scores[place] ?? 0) + (weight * rarity * count * (K1 + 1)) / saturation
    }
  }
  let offset = 0
  return transcripts.map((passages) => {
    const own = scores.subarray(offset, offset + passages.length)
    offset += passages.length
    return passages.map((passage, place) => ({ ...passage, score: withNeighbors(own, place) }))
  })
}

function countByPattern(matches: readonly Match[]): Map<number, number> | null {
  if (matches.length === 0) return null
  const counts = new Map<number, number>()
  for (const { pattern } of matches) counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
  return counts
}

const withNeighbors = (scores: Float64Array, place: number): number =>
  (scores[place] ?? 0) + NEIGHBOR_WEIGHT * ((scores[place - 1] ?? 0) + (scores[place + 1] ?? 0))

/** Returns passages by how well they fit, the best first. Those that do not fit at all come last, in their order. */
export const byFit = <P extends ScoredPassage>(passages: readonly P[]): P[] =>
  [...passages].sort((a, b) => b.score - a.score || a.first - b.first)
