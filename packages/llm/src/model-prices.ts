import type { CacheDuration, TextModelUsage } from './text-model.ts'

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
  const findPrices = createPriceFinder(overrides)
  return (model, usage) => {
    const row = findPrices(model)
    return row ? computeCostUsd(row, usage) : 0
  }
}

function createPriceFinder(overrides: readonly ModelPrices[] = []) {
  const rows = [...overrides, ...PRICES]
  return (model: string): ModelPrices | undefined =>
    rows.find((row) => row.model === model) ??
    // Dated snapshots such as `claude-haiku-4-5-20251001` have the prices of their model.
    rows.find((row) => row.model === model.replace(/-\d{8}$/, ''))
}

function computeCostUsd(row: ModelPrices, usage: TextModelUsage): number {
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

/** The most tokens that a call can use. */
export interface CallBound {
  promptTokens: number
  outputTokens: number
  cacheDocument: CacheDuration | null
}

/** Returns the highest possible cost of a call, in millionths of a dollar rounded up; null if the price is unknown. */
export type ComputeMaxCostUsd = (model: string, bound: CallBound) => number | null

/** Creates the computation of highest costs, with prices as in `createCostComputer`. */
export function createMaxCostComputer(overrides: readonly ModelPrices[] = []): ComputeMaxCostUsd {
  const findPrices = createPriceFinder(overrides)
  return (model, { promptTokens, outputTokens, cacheDocument }) => {
    const row = findPrices(model)
    if (!row) return null
    const usage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens }
    const written = { ...usage, cacheWriteTokens: promptTokens }
    const costs = [
      { ...usage, inputTokens: promptTokens },
      { ...usage, cachedInputTokens: promptTokens },
      ...(cacheDocument ? [written] : []),
      ...(cacheDocument === '1h' ? [{ ...written, hourCacheWriteTokens: promptTokens }] : []),
    ].map((most) => computeCostUsd(row, most))
    return Math.ceil(Math.max(...costs) * 1e6) / 1e6
  }
}

/** What is known about the costs of a model. */
export type Pricing = 'free' | 'priced' | 'unpriced'

/** Returns whether a model costs something, and whether that is known. */
export function findPricing(model: string, overrides: readonly ModelPrices[] = []): Pricing {
  const row = createPriceFinder(overrides)(model)
  if (!row) return 'unpriced'
  const prices = [row, ...(row.long ? [row.long.prices] : [])]
  return prices.some(({ input, output, cacheWrite, cacheRead }) => input + output + cacheWrite + cacheRead > 0)
    ? 'priced'
    : 'free'
}
