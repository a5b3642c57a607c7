import type { TextModelUsage } from './text-model.ts'

/** US dollars per million tokens. */
export interface Prices {
  input: number
  output: number
  /** For entries that the provider keeps for five minutes. */
  cacheWrite: number
  cacheRead: number
}

export interface ModelPrices extends Prices {
  model: string
  /** Prices of whole prompts that are longer than this, cached parts included. */
  long?: { aboveTokens: number; prices: Prices }
}

/**
 * Taken in November 2026 from the provider's platform documentation and release notes as published in October 2026.
 * They show what a summary cost; the provider's invoice is authoritative.
 */
const PRICES: ModelPrices[] = [
  {
    model: 'claude-haiku-5-5',
    input: 0.1,
    output: 0.5,
    cacheWrite: 0.125,
    cacheRead: 0.01,
    long: { aboveTokens: 100_000, prices: { input: 0.5, output: 2.5, cacheWrite: 0.625, cacheRead: 0.05 } },
  },
  { model: 'claude-sonnet-5-5', input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 },
  { model: 'claude-opus-5-5', input: 4, output: 20, cacheWrite: 5, cacheRead: 0.2 },
  { model: 'claude-fable-5-2', input: 8, output: 40, cacheWrite: 10, cacheRead: 0.2 },
  { model: 'claude-haiku-4-5', input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.1 },
]

/** Writing to an entry that the provider keeps for an hour costs this many times as much as other input, for every model. */
const HOUR_WRITE_FACTOR = 2

/** Returns the cost of one call in US dollars. */
export type ComputeCostUsd = (model: string, usage: TextModelUsage) => number

/** Creates the cost computation. `overrides` replace all prices of their models. A model without prices costs nothing. */
export function createCostComputer(overrides: readonly ModelPrices[] = []): ComputeCostUsd {
  const rows = [...overrides, ...PRICES]
  const findRow = (model: string): ModelPrices | undefined =>
    rows.find((row) => row.model === model) ??
    // Dated snapshots such as `claude-haiku-4-5-20251001` have the prices of their model.
    rows.find((row) => row.model === model.replace(/-\d{8}$/, ''))

  return (model, usage) => {
    const row = findRow(model)
    if (!row) return 0
    const promptTokens = usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens
    const prices = row.long && promptTokens > row.long.aboveTokens ? row.long.prices : row
    const hourTokens = usage.hourCacheWriteTokens ?? 0
    const perMillion =
      usage.inputTokens * prices.input +
      (usage.cacheWriteTokens - hourTokens) * prices.cacheWrite +
      hourTokens * prices.input * HOUR_WRITE_FACTOR +
      usage.cachedInputTokens * prices.cacheRead +
      usage.outputTokens * prices.output
    return perMillion / 1_000_000
  }
}
