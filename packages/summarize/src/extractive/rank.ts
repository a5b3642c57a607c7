import type { Pace } from '../pacer.ts'
import { cosine, type Vector } from './vectors.ts'

/** Above this a graph is ranked in windows, and the best of each once more among themselves. */
const MAX_GRAPH = 300
const WINDOW = 150
const DAMPING = 0.85
const MAX_ITERATIONS = 60
const TOLERANCE = 1e-7

const buildSimilarities = async (vectors: Vector[], pace: Pace): Promise<Float64Array[]> => {
  const rows = vectors.map(() => new Float64Array(vectors.length))
  for (let i = 0; i < vectors.length; i++) {
    for (let j = 0; j < i; j++) {
      const similarity = cosine(vectors[i] as Vector, vectors[j] as Vector)
      ;(rows[i] as Float64Array)[j] = similarity
      ;(rows[j] as Float64Array)[i] = similarity
    }
    if (i % 32 === 0) await pace()
  }
  return rows
}

/**
 * Continuous LexRank (Erkan & Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization", 2004):
 * the stationary distribution of a random walk between sentences in proportion to their cosine, which with
 * probability 1 - 0.85 jumps to a sentence in proportion to its prior (as in topic-sensitive LexRank, Otterbacher et al. 2005).
 * The mean score is 1.
 */
const lexRank = async (vectors: Vector[], priors: number[], pace: Pace): Promise<number[]> => {
  const size = vectors.length
  const priorSum = priors.reduce((sum, prior) => sum + prior, 0) || 1
  const jump = priors.map((prior) => ((1 - DAMPING) * prior) / priorSum)
  const rows = await buildSimilarities(vectors, pace)
  const degrees = rows.map((row) => row.reduce((sum, similarity) => sum + similarity, 0))
  let scores = new Float64Array(size).fill(1 / Math.max(1, size))
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    const next = Float64Array.from(jump)
    let stranded = 0
    for (let i = 0; i < size; i++) {
      const degree = degrees[i] as number
      if (degree === 0) {
        stranded += scores[i] as number
        continue
      }
      const flow = (DAMPING * (scores[i] as number)) / degree
      const row = rows[i] as Float64Array
      for (let j = 0; j < size; j++) next[j] = (next[j] as number) + flow * (row[j] as number)
    }
    let change = 0
    for (let i = 0; i < size; i++) {
      next[i] = (next[i] as number) + (DAMPING * stranded * (priors[i] as number)) / priorSum
      change += Math.abs((next[i] as number) - (scores[i] as number))
    }
    scores = next
    await pace()
    if (change < TOLERANCE) break
  }
  return Array.from(scores, (score) => score * size)
}

export interface Ranking {
  /** Centrality times prior within the neighbourhood; comparable within a section. */
  local: number[]
  /** Indexes of the sentences that stand for the whole, best first. */
  winners: number[]
  /** Score among the winners, by index of the sentence. */
  global: Map<number, number>
}

const bestOf = (indexes: number[], scoreOf: (index: number) => number, count: number): number[] =>
  [...indexes].sort((a, b) => scoreOf(b) - scoreOf(a) || a - b).slice(0, count)

/** `priors` say how fit each sentence is before its neighbours are looked at. */
export const rankSentences = async (vectors: Vector[], priors: number[], pace: Pace): Promise<Ranking> => {
  const size = vectors.length
  const windowCount = size <= MAX_GRAPH ? 1 : Math.ceil(size / WINDOW)
  const quota = Math.max(1, Math.ceil(MAX_GRAPH / windowCount))
  const local: number[] = []
  let finalists: number[] = []
  for (let w = 0; w < windowCount; w++) {
    const from = Math.floor((w * size) / windowCount)
    const to = Math.floor(((w + 1) * size) / windowCount)
    const scores = await lexRank(vectors.slice(from, to), priors.slice(from, to), pace)
    scores.forEach((score, i) => {
      local.push(score * (priors[from + i] as number))
    })
    const indexes = scores.map((_, i) => from + i)
    finalists = finalists.concat(bestOf(indexes, (index) => local[index] as number, quota))
  }
  finalists.sort((a, b) => a - b)
  const thinned = finalists.filter((_, i) => i % Math.ceil(finalists.length / (2 * MAX_GRAPH)) === 0)
  const among = windowCount === 1 ? null : await lexRank(pickAll(vectors, thinned), pickAll(priors, thinned), pace)
  const global = new Map(
    thinned.map((index, i) => [
      index,
      among ? (among[i] as number) * (priors[index] as number) : (local[index] as number),
    ]),
  )
  return { local, global, winners: bestOf(thinned, (index) => global.get(index) ?? 0, thinned.length) }
}

const pickAll = <T>(all: T[], indexes: number[]): T[] => indexes.map((index) => all[index] as T)
