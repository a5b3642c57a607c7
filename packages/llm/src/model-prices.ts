import type { TextModelAnswer } from './text-model.ts'

/** US dollars for a million tokens. */
export interface Prices {
  input: number
  output: number
  /** Kept for five minutes. */
  cacheWrite: number
  cacheRead: number
}

export interface ModelPrices extends Prices {
  model: string
  /** Prompts longer than this, cached parts included, cost these prices as a whole. */
  long?: { aboveTokens: number; prices: Prices }
}

/**
 * Taken in November 2026 from the provider's platform documentation and release notes as published in October 2026.
 * They are for showing what a summary cost; the provider's invoice is what counts.
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

/** US dollars for one call, whose `inputTokens` are those neither read from nor written to the cache. */
export type ComputeCostUsd = (model: string, usage: TextModelAnswer['usage']) => number

/**
 * The prices to go by: `own` ones, which stand for all of a model's, before those of the table. A model that is in
 * neither costs as much as the dearest one that is, so that spending is never shown as less than it may be.
 */
export function createCostComputer(own: readonly ModelPrices[] = []): ComputeCostUsd {
  const rows = [...own, ...PRICES]
  const dearest = rows.reduce((most, row) => (row.output > most.output ? row : most))
  const findRow = (model: string): ModelPrices =>
    rows.find((row) => row.model === model) ??
    // Dated snapshots such as `claude-haiku-4-5-20251001` cost what their model costs.
    rows.find((row) => row.model === model.replace(/-\d{8}$/, '')) ??
    dearest

  return (model, usage) => {
    const row = findRow(model)
    const promptTokens = usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens
    const prices = row.long && promptTokens > row.long.aboveTokens ? row.long.prices : row
    const perMillion =
      usage.inputTokens * prices.input +
      usage.cacheWriteTokens * prices.cacheWrite +
      usage.cachedInputTokens * prices.cacheRead +
      usage.outputTokens * prices.output
    return perMillion / 1_000_000
  }
}
