import { at } from '@subtext/runtime'
import type { Pace } from '../pacer.ts'
import { cosine, type Vector } from './vectors.ts'

/** Maximum size of a graph. Larger ones are ranked in windows, and then the best sentences of each window among themselves. */
const MAX_GRAPH = 300
const WINDOW = 150
const DAMPING = 0.85
const MAX_ITERATIONS = 60
const TOLERANCE = 1e-7

async function buildSimilarities(vectors: Vector[], pace: Pace): Promise<Float64Array[]> {
  const rows = vectors.map(() => new Float64Array(vectors.length))
  for (const [i, row] of rows.entries()) {
    for (let j = 0; j < i; j++) {
      const similarity = cosine(at(vectors, i), at(vectors, j))
      row[j] = similarity
      at(rows, j)[i] = similarity
    }
    if (i % 32 === 0) await pace()
  }
  return rows
}

/**
 * Adds the dot product of two lists of one length to `start`. In the innermost loop, a default for a missing value is cheaper
 * than `at`.
 */
function addProducts(start: number, left: Float64Array, right: Float64Array): number {
  let sum = start
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0)
  return sum
}

/**
 * Continuous LexRank (Erkan & Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization", 2004):
 * the stationary distribution of a random walk between sentences in proportion to their cosine, which with
 * probability 1 - 0.85 jumps to a sentence in proportion to its prior (as in topic-sensitive LexRank, Otterbacher et al. 2005).
 * The mean score is 1.
 */
async function lexRank(vectors: Vector[], priors: number[], pace: Pace): Promise<number[]> {
  const size = vectors.length
  const priorSum = priors.reduce((sum, prior) => sum + prior, 0) || 1
  // Symmetric: a row holds the similarities from a sentence as well as those to it.
  const rows = await buildSimilarities(vectors, pace)
  const nodes = rows.map((row, i) => ({
    row,
    degree: row.reduce((sum, similarity) => sum + similarity, 0),
    prior: at(priors, i),
  }))
  let scores = new Float64Array(size).fill(1 / Math.max(1, size))
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    let stranded = 0
    const flows = Float64Array.from(nodes, ({ degree }, i) => {
      const score = scores[i] ?? 0
      if (degree > 0) return (DAMPING * score) / degree
      stranded += score
      return 0
    })
    let change = 0
    const next = Float64Array.from(nodes, ({ row, prior }, i) => {
      const jump = ((1 - DAMPING) * prior) / priorSum
      const score = addProducts(jump, flows, row) + (DAMPING * stranded * prior) / priorSum
      change += Math.abs(score - (scores[i] ?? 0))
      return score
    })
    scores = next
    await pace()
    if (change < TOLERANCE) break
  }
  return Array.from(scores, (score) => score * size)
}

export interface Ranking {
  /** Centrality times prior within the neighborhood; comparable within a section. */
  local: number[]
  /** Indexes of the sentences that represent the whole, best first. */
  winners: number[]
  /** Scores among the winners, by index of the sentence. */
  global: Map<number, number>
}

interface Scored {
  index: number
  score: number
}

const byScore = (a: Scored, b: Scored): number => b.score - a.score || a.index - b.index

/** Ranks sentences. `priors` say how suitable each one is before its neighbors are considered. */
export async function rankSentences(vectors: Vector[], priors: number[], pace: Pace): Promise<Ranking> {
  const size = vectors.length
  const windowCount = size <= MAX_GRAPH ? 1 : Math.ceil(size / WINDOW)
  const quota = Math.max(1, Math.ceil(MAX_GRAPH / windowCount))
  const local: number[] = []
  const finalists: Scored[] = []
  for (let window = 0; window < windowCount; window++) {
    const from = Math.floor((window * size) / windowCount)
    const to = Math.floor(((window + 1) * size) / windowCount)
    const scores = await lexRank(vectors.slice(from, to), priors.slice(from, to), pace)
    const scored = scores.map((score, i) => ({ index: from + i, score: score * at(priors, from + i) }))
    for (const { score } of scored) local.push(score)
    finalists.push(...scored.sort(byScore).slice(0, quota))
  }
  finalists.sort((a, b) => a.index - b.index)
  const thinned = finalists.filter((_, i) => i % Math.ceil(finalists.length / (2 * MAX_GRAPH)) === 0)
  const winners = windowCount === 1 ? thinned : await rankAmongThemselves(thinned, vectors, priors, pace)
  return {
    local,
    global: new Map(winners.map(({ index, score }) => [index, score])),
    winners: winners.toSorted(byScore).map(({ index }) => index),
  }
}

async function rankAmongThemselves(
  finalists: Scored[],
  vectors: Vector[],
  priors: number[],
  pace: Pace,
): Promise<Scored[]> {
  const finalPriors = finalists.map(({ index }) => at(priors, index))
  const finalVectors = finalists.map(({ index }) => at(vectors, index))
  const scores = await lexRank(finalVectors, finalPriors, pace)
  return finalists.map(({ index }, i) => ({ index, score: at(scores, i) * at(finalPriors, i) }))
}
