/** How often the autoscaler looks at the metrics. */
export const SYNC_SECONDS = 15

/** Waiting times in seconds. */
export interface Waits {
  median: number
  p95: number
  max: number
}

export function summarize(waits: readonly number[]): Waits {
  const sorted = waits.toSorted((one, other) => one - other)
  const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { median: quantile(0.5), p95: quantile(0.95), max: quantile(1) }
}
