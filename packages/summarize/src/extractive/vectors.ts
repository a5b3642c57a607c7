import type { Pace } from '../pacer.ts'
import type { TableLanguage } from './speech.ts'
import type { Token } from './tokens.ts'

/** A sparse vector of length 1, or an empty one. `terms` ascend. */
export interface Vector {
  terms: Int32Array
  weights: Float64Array
}

export interface VectorSpace {
  vectors: Vector[]
  /** Returns the number of sentences that contain the stem. */
  sentencesWith(stem: string): number
  /** Returns whether the stem occurs in too many sentences to distinguish any of them. */
  isCommon(stem: string): boolean
  vectorOf(tokens: Token[]): Vector
}

/** The share of sentences above which a word counts as a stop word; lower if no list has removed the usual ones. */
const COMMON_SHARE = { listed: 0.6, unlisted: 0.12 }
const MIN_SENTENCES = 15

/** Returns the cosine of two vectors, 0 to 1. */
export function cosine(a: Vector, b: Vector): number {
  let sum = 0
  let i = 0
  let j = 0
  while (true) {
    const left = a.terms[i]
    const right = b.terms[j]
    if (left === undefined || right === undefined) return sum
    if (left === right) sum += (a.weights[i++] ?? 0) * (b.weights[j++] ?? 0)
    else if (left < right) i++
    else j++
  }
}

/** Represents each sentence as TF-IDF: (1 + ln tf) * ln((N + 1) / (df + 0.5)), scaled to length 1. */
export async function buildVectorSpace(
  sentences: Token[][],
  language: TableLanguage | null,
  pace: Pace,
): Promise<VectorSpace> {
  const ids = new Map<string, number>()
  const frequencies: number[] = []
  for (const tokens of sentences) {
    for (const stem of new Set(tokens.map((token) => token.stem))) {
      if (stem === '') continue
      const id = ids.get(stem) ?? ids.size
      ids.set(stem, id)
      frequencies[id] = (frequencies[id] ?? 0) + 1
    }
    await pace()
  }
  const count = sentences.length
  const share = language ? COMMON_SHARE.listed : COMMON_SHARE.unlisted
  const isCommonId = (id: number) => count >= MIN_SENTENCES && (frequencies[id] ?? 0) > count * share
  const vectorOf = (tokens: Token[]): Vector => {
    const counts = new Map<number, number>()
    for (const { stem } of tokens) {
      const id = ids.get(stem)
      if (id !== undefined && !isCommonId(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    const terms = Int32Array.from(counts.keys()).sort()
    const weights = Float64Array.from(terms, (id) => {
      const idf = Math.log((count + 1) / ((frequencies[id] ?? 0) + 0.5))
      return (1 + Math.log(counts.get(id) ?? 1)) * Math.max(idf, 0.01)
    })
    const norm = Math.hypot(...weights)
    return { terms, weights: norm > 0 ? weights.map((weight) => weight / norm) : weights }
  }
  const vectors: Vector[] = []
  for (const tokens of sentences) {
    vectors.push(vectorOf(tokens))
    await pace()
  }
  const idOf = (stem: string) => ids.get(stem) ?? -1
  return {
    vectors,
    vectorOf,
    sentencesWith: (stem) => frequencies[idOf(stem)] ?? 0,
    isCommon: (stem) => isCommonId(idOf(stem)),
  }
}
