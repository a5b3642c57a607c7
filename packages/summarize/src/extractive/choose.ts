import { at } from '@subtext/runtime'
import { sameTextKey } from './sentence-text.ts'
import { cosine, type Vector } from './vectors.ts'

const RELEVANCE = 0.75
/** Two sentences at least this similar say the same. */
const SAME = 0.6
/** Candidates after these cannot win against the best ones. */
const MAX_CANDIDATES = 80

export interface Candidate {
  index: number
  score: number
}

export interface Chooser {
  /** Returns up to `count` indexes, most important first, and never one that this chooser has returned before. */
  choose(candidates: Candidate[], count: number): number[]
}

interface ChooserInput {
  sentences: { text: string }[]
  vectors: Vector[]
}

/**
 * Maximal marginal relevance (Carbonell & Goldstein, "The Use of MMR, Diversity-Based Reranking", 1998): each time the
 * sentence that is important and unlike those already chosen. Create one chooser per summary.
 */
export function createChooser({ sentences, vectors }: ChooserInput): Chooser {
  const chosen: Vector[] = []
  const texts = new Set<string>()
  const keyOf = (index: number) => sameTextKey(sentences[index]?.text ?? '')
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
  return {
    choose(candidates, count) {
      const sorted = [...candidates].sort((a, b) => b.score - a.score || a.index - b.index)
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
        chosen.push(at(vectors, index))
        texts.add(keyOf(index))
        result.push(index)
      }
      return result
    },
  }
}
