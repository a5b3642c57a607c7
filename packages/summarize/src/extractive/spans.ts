import { at } from '@subtext/runtime'

/** The range `[from, to)` of a block's text. */
export interface Range {
  from: number
  to: number
}

/** A range that becomes a sentence. */
export interface SentenceRange extends Range {
  /** How certain both ends are, 0 (cut anywhere) to 1 (full stops). */
  confidence: number
}

/** Returns the index of the first element that is not less than `value`; `sorted` ascends. */
export function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(sorted, middle) < value) low = middle + 1
    else high = middle
  }
  return low
}
