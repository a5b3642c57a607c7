/** The median of some values, and the values that a quarter of them are below and above. */
export interface Quartiles {
  low: number
  median: number
  high: number
}

/** Returns NaN everywhere for no values. */
export function quartiles(values: readonly number[]): Quartiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => {
    const place = (sorted.length - 1) * share
    const lower = sorted[Math.floor(place)] ?? Number.NaN
    const upper = sorted[Math.ceil(place)] ?? Number.NaN
    return lower + (upper - lower) * (place % 1)
  }
  return { low: at(0.25), median: at(0.5), high: at(0.75) }
}

export const median = (values: readonly number[]): number => quartiles(values).median
