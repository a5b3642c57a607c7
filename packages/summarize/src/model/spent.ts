import type { SummaryUsage } from '@subtext/contracts'
import type { ComputeCostUsd, TextModelAnswer } from '@subtext/llm'

/** What a call has cost. */
export const priceCall = (
  model: string,
  usage: TextModelAnswer['usage'],
  computeCostUsd: ComputeCostUsd,
): SummaryUsage => ({ ...usage, costUsd: computeCostUsd(model, usage) })

const splitCount = (count: number, shares: number[]): number[] => {
  const total = shares.reduce((sum, share) => sum + share, 0) || 1
  let given = 0
  let passed = 0
  return shares.map((share) => {
    passed += share
    // By the running sum, so that the parts add up to the whole.
    const upTo = Math.round((count * passed) / total)
    const part = upTo - given
    given = upTo
    return part
  })
}

/** The cost of a call that served several: its input shared evenly, its output by the length of what each got. */
export function shareUsage(usage: SummaryUsage, lengths: number[]): SummaryUsage[] {
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
  }))
}
