/** The median of some values, and the values that a quarter of them are below and above. */
export interface Quartiles {
  low: number
  median: number
  high: number
}

/** Returns the value that the given share of the values are below. NaN: there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const lower = sorted[Math.floor(place)] ?? Number.NaN
  const upper = sorted[Math.ceil(place)] ?? Number.NaN
  return lower + (upper - lower) * (place % 1)
}

export const quartiles = (values: readonly number[]): Quartiles => ({
  low: quantile(values, 0.25),
  median: quantile(values, 0.5),
  high: quantile(values, 0.75),
})

export const median = (values: readonly number[]): number => quantile(values, 0.5)
