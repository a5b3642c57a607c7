/** How actual counts relate to planned ones. */
export interface Spread {
  low: number
  expected: number
  high: number
}

/** Number of observations that the assumption is worth, for the center and for the width. */
const CENTER_WEIGHT = 1
const WIDTH_WEIGHT = 3
/** Of 100 counts, about 95 lie within this many standard deviations. */
const DEVIATIONS = 2

/**
 * Estimates the factors between which the next count will lie, from the factors of earlier ones. Without any, the logarithm of
 * a factor is assumed to vary by `deviation`; the more there are, the less the assumption counts.
 */
export function estimateSpread(factors: readonly number[], deviation: number): Spread {
  const logs = factors.filter((factor) => factor > 0 && Number.isFinite(factor)).map(Math.log)
  const count = logs.length
  const center = logs.reduce((sum, log) => sum + log, 0) / (count + CENTER_WEIGHT)
  const squares = logs.reduce((sum, log) => sum + (log - center) ** 2, 0)
  const variance = (WIDTH_WEIGHT * deviation ** 2 + squares) / (WIDTH_WEIGHT + count)
  const width = DEVIATIONS * Math.sqrt(variance * (1 + 1 / (count + 1)))
  return { low: Math.exp(center - width), expected: Math.exp(center), high: Math.exp(center + width) }
}
