import { sameTextKey } from './sentence-text.ts'
import { cosine, type Vector } from './vectors.ts'

const RELEVANCE = 0.75
/** Two sentences this close say the same. */
const SAME = 0.6
/** More candidates than this cannot win against the best ones. */
const MAX_CANDIDATES = 80

export interface Candidate {
  index: number
  score: number
}

export interface Chooser {
  /** Up to `count` indexes, most important first. What this chooser gave before is not given again. */
  choose(candidates: Candidate[], count: number): number[]
}

interface Choosable {
  sentences: { text: string }[]
  vectors: Vector[]
}

/**
 * Maximal marginal relevance (Carbonell & Goldstein, "The Use of MMR, Diversity-Based Reranking", 1998):
 * each time the sentence that is important and unlike those already chosen. One chooser serves one summary.
 */
export const createChooser = ({ sentences, vectors }: Choosable): Chooser => {
  const chosen: number[] = []
  const texts = new Set<string>()
  const keyOf = (index: number) => sameTextKey(sentences[index]?.text ?? '')
  const likeness = (index: number) => {
    let most = 0
    for (const other of chosen) most = Math.max(most, cosine(vectors[index] as Vector, vectors[other] as Vector))
    return most
  }
  const best = (candidates: Candidate[], top: number): number | null => {
    let winner: number | null = null
    let winnerScore = -Infinity
    for (const { index, score } of candidates) {
      if (texts.has(keyOf(index))) continue
      const like = likeness(index)
      if (like >= SAME) continue
      const marginal = (RELEVANCE * score) / top - (1 - RELEVANCE) * like
      if (marginal > winnerScore) {
        winner = index
        winnerScore = marginal
      }
    }
    return winner
  }
  return {
    choose: (candidates, count) => {
      const sorted = [...candidates].sort((a, b) => b.score - a.score || a.index - b.index)
      // A line repeated a thousand times must not crowd out the others.
      const distinct = new Map<string, Candidate>()
      for (const candidate of sorted) {
        const key = keyOf(candidate.index)
        if (!distinct.has(key)) distinct.set(key, candidate)
        if (distinct.size >= MAX_CANDIDATES) break
      }
      const pool = [...distinct.values()]
      const top = pool[0]?.score || 1
      const result: number[] = []
      while (result.length < count) {
        const index = best(pool, top)
        if (index === null) break
        chosen.push(index)
        texts.add(keyOf(index))
        result.push(index)
      }
      return result
    },
  }
}
