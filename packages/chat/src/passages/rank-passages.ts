import type { Cue } from '@subtext/contracts'
import type { Pace } from '@subtext/summarize'
import { type Passage, splitPassages } from './split-passages.ts'
import { createTermFinder, type FindTerms } from './terms.ts'

/** Parameters of BM25: how soon further occurrences of a term stop mattering, and how much the length of a passage matters. */
const K1 = 0.9
const B = 0.4
/** Share of the score of its neighbors that a passage gets. */
const NEIGHBOR_WEIGHT = 0.4
/** Weight of the previous question, because a question often leaves out its subject. */
const EARLIER_WEIGHT = 0.3

export interface PassageQuery {
  question: string
  /** The question before it, if there is one. */
  earlier?: string
  /** Of the transcript, BCP-47. */
  language: string
}

interface IndexedPassage {
  passage: Passage
  counts: Map<string, number>
  length: number
}

/**
 * Pieces of text that are one step of work. They end before something other than a letter or digit where there is any, so that
 * they have the terms of the whole; only a symbol that NFKC turns into letters, as in 5㎏, may be cut off from its word. Most
 * passages are one piece.
 */
const PIECE = /.{1,1000}(?![\p{L}\p{M}\p{N}])|.{1,1000}/gsu

async function indexPassage(passage: Passage, findTerms: FindTerms, pace: Pace): Promise<IndexedPassage> {
  const counts = new Map<string, number>()
  let length = 0
  for (const [piece] of passage.text.matchAll(PIECE)) {
    await pace()
    for (const term of findTerms(piece)) {
      counts.set(term, (counts.get(term) ?? 0) + 1)
      length++
    }
  }
  return { passage, counts, length }
}

/** Scores passages by any of the weighted terms: a passage need not have all of them. */
async function scoreByTerms(
  index: IndexedPassage[],
  weights: ReadonlyMap<string, number>,
  pace: Pace,
): Promise<number[]> {
  const averageLength = index.reduce((sum, { length }) => sum + length, 0) / Math.max(1, index.length)
  const scores = index.map(() => 0)
  for (const [term, weight] of weights) {
    await pace()
    const containing = index.filter(({ counts }) => counts.has(term)).length
    const rarity = Math.log(1 + (index.length - containing + 0.5) / (containing + 0.5))
    for (const [place, { counts, length }] of index.entries()) {
      const count = counts.get(term) ?? 0
      if (count === 0) continue
      const saturation = count + K1 * (1 - B + (B * length) / averageLength)
      scores[place] = (scores[place] ?? 0) + (weight * rarity * count * (K1 + 1)) / saturation
    }
  }
  return scores
}

const withNeighbors = (scores: number[]): number[] =>
  scores.map((score, place) => score + NEIGHBOR_WEIGHT * ((scores[place - 1] ?? 0) + (scores[place + 1] ?? 0)))

/**
 * Ranks the passages of a transcript by how well they fit a question, the best first. Passages that do not fit at all come
 * last, in the order of the transcript. Calls `pace` between small steps of the work.
 */
export async function rankPassages(
  cues: Cue[],
  { question, earlier = '', language }: PassageQuery,
  pace: Pace,
  words?: number,
): Promise<Passage[]> {
  const findTerms = createTermFinder(language)
  const index: IndexedPassage[] = []
  for (const passage of splitPassages(cues, words)) {
    await pace()
    index.push(await indexPassage(passage, findTerms, pace))
  }
  const weights = new Map(findTerms(earlier).map((term) => [term, EARLIER_WEIGHT]))
  for (const term of findTerms(question)) weights.set(term, 1)
  const scores = withNeighbors(await scoreByTerms(index, weights, pace))
  return index
    .map(({ passage }, place) => ({ passage, score: scores[place] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.passage.first - b.passage.first)
    .map(({ passage }) => passage)
}
