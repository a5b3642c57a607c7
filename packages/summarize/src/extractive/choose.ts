import { at } from '@subtext/runtime'
import { sameTextKey } from './sentence-text.ts'
import { cosine, type Vector } from './vectors.ts'

const RELEVANCE = 0.75
/** Two sentences that are at least this similar say the same thing. */
const SAME = 0.6
/** Factor by which the score of a sentence shrinks for each other summary that has it. */
const REUSED_SHARE = 0.25
/** Number of candidates considered; lower-ranked ones cannot win against the best ones. */
const MAX_CANDIDATES = 80

export interface Candidate {
  index: number
  score: number
}

export interface Chooser {
  /** Returns up to `count` indexes, most important first, and never one that this chooser has returned before. */
  choose(candidates: Candidate[], count: number): number[]
  /** Treats a sentence as chosen. */
  exclude(index: number): void
}

interface ChooserInput {
  sentences: { text: string }[]
  vectors: Vector[]
}

/** The number of summaries of the transcript that contain a sentence already, by `sameTextKey`. */
export type Uses = Map<string, number>

/**
 * Maximal marginal relevance (Carbonell & Goldstein, "The Use of MMR, Diversity-Based Reranking", 1998): repeatedly chooses the
 * sentence that is important and unlike those already chosen. Create one chooser per summary; together they count in `uses`, so
 * that summaries of one transcript repeat a sentence only if it is much better than the alternatives.
 */
export function createChooser({ sentences, vectors }: ChooserInput, uses: Uses): Chooser {
  const chosen: Vector[] = []
  const texts = new Set<string>()
  const keyOf = (index: number) => sameTextKey(sentences[index]?.text ?? '')
  const usesOf = (index: number) => uses.get(keyOf(index)) ?? 0
  const similarityToChosen = (index: number) => {
    const vector = at(vectors, index)
    return chosen.reduce((highest, other) => Math.max(highest, cosine(vector, other)), 0)
  }
  const findBest = (candidates: Candidate[], topScore: number): number | null => {
    let winner: number | null = null
    let winnerScore = -Infinity
    for (const { index, score } of candidates) {
      if (texts.has(keyOf(index))) continue
      const similarity = similarityToChosen(index)
      if (similarity >= SAME) continue
      const marginal = (RELEVANCE * score) / topScore - (1 - RELEVANCE) * similarity
      if (marginal > winnerScore) {
        winner = index
        winnerScore = marginal
      }
    }
    return winner
  }
  const add = (index: number): void => {
    chosen.push(at(vectors, index))
    texts.add(keyOf(index))
    uses.set(keyOf(index), usesOf(index) + 1)
  }
  return {
    exclude: add,
    choose(candidates, count) {
      const sorted = candidates
        .map(({ index, score }) => ({ index, score: score * REUSED_SHARE ** usesOf(index) }))
        .sort((a, b) => b.score - a.score || a.index - b.index)
      // A line repeated a thousand times must not crowd out the others.
      const distinct = new Map<string, Candidate>()
      for (const candidate of sorted) {
        const key = keyOf(candidate.index)
        if (!distinct.has(key)) distinct.set(key, candidate)
        if (distinct.size >= MAX_CANDIDATES) break
      }
      const pool = [...distinct.values()]
      const topScore = pool[0]?.score || 1
      const result: number[] = []
      while (result.length < count) {
        const index = findBest(pool, topScore)
        if (index === null) break
        add(index)
        result.push(index)
      }
      return result
    },
  }
}
