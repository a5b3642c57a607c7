import { at } from '@subtext/runtime'
import { LENGTHS } from './weights.ts'
import type { Word } from './words.ts'

/** The words `[from, to)` of a run, and how likely they are one whole sentence. */
export interface Division {
  from: number
  to: number
  probability: number
}

interface Run {
  words: Word[]
  /** Log-odds that a sentence ends after each word. */
  odds: Float64Array
  /** Log-odds that a sentence begins with the run, and that one ends with it. */
  edges: { start: number; end: number }
}

/** A border within a passage is less of a loss to the reader than a wrong end. */
const INSIDE_WEIGHT = 0.4

const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds))

/** Divides a run so that the log-odds of its borders and of the lengths between them are highest together (Viterbi). */
export function divideRun({ words, odds, edges }: Run, lengths: Float32Array, maxChars: number): Division[] {
  const count = words.length
  const best = new Float64Array(count + 1).fill(Number.NEGATIVE_INFINITY)
  const previous = new Int32Array(count + 1)
  best[0] = 0
  for (let end = 1; end <= count; end++) {
    const until = at(words, end - 1).to
    let [highest, winner] = [Number.NEGATIVE_INFINITY, end - 1]
    for (let start = end - 1; start >= 0; start--) {
      if (until - (words[start]?.from ?? 0) > maxChars && start < end - 1) break
      const score = (best[start] ?? 0) + (lengths[Math.min(LENGTHS, end - start) - 1] ?? 0)
      if (score > highest) [highest, winner] = [score, start]
    }
    best[end] = highest + (odds[end - 1] ?? 0)
    previous[end] = winner
  }
  const unbroken = new Float64Array(count + 1)
  for (let i = 0; i < count; i++)
    unbroken[i + 1] = (unbroken[i] ?? 0) - Math.log1p(Math.exp(Math.min(30, odds[i] ?? 0)))
  const divisions: Division[] = []
  for (let to = count; to > 0; to = previous[to] ?? 0) {
    const from = previous[to] ?? 0
    const start = from === 0 ? edges.start : (odds[from - 1] ?? 0)
    const end = to === count ? edges.end : (odds[to - 1] ?? 0)
    const inside = Math.exp(INSIDE_WEIGHT * ((unbroken[to - 1] ?? 0) - (unbroken[from] ?? 0)))
    divisions.push({ from, to, probability: sigmoid(start) * sigmoid(end) * inside })
  }
  return divisions.reverse()
}
