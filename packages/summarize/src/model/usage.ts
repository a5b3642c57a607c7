import type { CostReservation, SummaryUsage } from '@subtext/contracts'
import type { ComputeCostUsd, TextModelUsage } from '@subtext/llm'

/**
 * Adds the cost of a call to its usage, in whole millionths of a dollar, as amounts are stored, so that a worker's sums equal
 * the sums of stored amounts. A call costs no more than was reserved for it, whatever the provider has counted.
 */
export const priceUsage = (
  model: string,
  usage: TextModelUsage,
  computeCostUsd: ComputeCostUsd,
  reservation?: CostReservation,
): SummaryUsage => ({
  ...usage,
  costUsd: Math.min(
    Math.round(computeCostUsd(model, usage) * 1e6) / 1e6,
    reservation?.maxCostUsd ?? Number.POSITIVE_INFINITY,
  ),
  ...(reservation && { reservation }),
})

/** Splits a count in proportion to the weights, so that the parts add up to the whole. */
function splitCount(count: number, weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  let assigned = 0
  let passed = 0
  return weights.map((weight) => {
    passed += weight
    const upTo = Math.round((count * passed) / total)
    const part = upTo - assigned
    assigned = upTo
    return part
  })
}

/** Splits the usage of a call that wrote several summaries: its input evenly, its output by the length of each summary. */
export function splitUsage(usage: SummaryUsage, lengths: number[]): SummaryUsage[] {
  const even = lengths.map(() => 1)
  const inputTokens = splitCount(usage.inputTokens, even)
  const cachedInputTokens = splitCount(usage.cachedInputTokens, even)
  const cacheWriteTokens = splitCount(usage.cacheWriteTokens, even)
  const outputTokens = splitCount(usage.outputTokens, lengths)
  const microUsd = splitCount(
    Math.round(usage.costUsd * 1e6),
    lengths.map((length) => length + 1),
  )
  return lengths.map((_, index) => ({
    inputTokens: inputTokens[index] ?? 0,
    cachedInputTokens: cachedInputTokens[index] ?? 0,
    cacheWriteTokens: cacheWriteTokens[index] ?? 0,
    outputTokens: outputTokens[index] ?? 0,
    costUsd: (microUsd[index] ?? 0) / 1e6,
    ...(usage.reservation && { reservation: usage.reservation }),
  }))
}
