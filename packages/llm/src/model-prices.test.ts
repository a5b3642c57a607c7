import { createCostComputer } from './model-prices.ts'

const computeCostUsd = createCostComputer()

const usage = (inputTokens: number, outputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  cacheWriteTokens,
})

test('prices an hour summarized in five modes with one cache write and four reads', () => {
  const first = computeCostUsd('claude-haiku-5-5', usage(0, 800, 0, 16_000))
  const other = computeCostUsd('claude-haiku-5-5', usage(0, 800, 16_000))
  expect(first + 4 * other).toBeCloseTo(0.002 + 4 * 0.00016 + 0.002, 9)
})

test('prices uncached, cached and cache-written tokens separately', () => {
  expect(computeCostUsd('claude-sonnet-5-5', usage(100_000, 0, 400_000, 500_000))).toBeCloseTo(
    0.1 * 2 + 0.4 * 0.1 + 0.5 * 2.5,
    9,
  )
})

test('applies the long-prompt prices to the whole prompt, and counts cached tokens towards its length', () => {
  expect(computeCostUsd('claude-haiku-5-5', usage(100_000))).toBeCloseTo(0.01, 9)
  expect(computeCostUsd('claude-haiku-5-5', usage(100_001))).toBeCloseTo(0.0500005, 9)
  expect(computeCostUsd('claude-haiku-5-5', usage(1, 0, 100_000))).toBeCloseTo(0.005 + 0.0000005, 9)
})

test('prices a dated snapshot like its model, and treats a model without prices as free', () => {
  const used = usage(1_000_000, 1_000_000)
  expect(computeCostUsd('claude-haiku-4-5-20251001', used)).toBeCloseTo(6, 9)
  expect(computeCostUsd('qwen3:8b', used)).toBe(0)
  expect(computeCostUsd('claude-haiku-5-55', used)).toBe(0)
})

test('replaces the built-in prices of a model and its snapshots with the overrides', () => {
  const override = { model: 'claude-haiku-5-5', input: 1, output: 2, cacheWrite: 3, cacheRead: 4 }
  const compute = createCostComputer([override, { ...override, model: 'mine-20260101', output: 1_000 }])
  const million = usage(1_000_000, 1_000_000, 1_000_000, 1_000_000)
  expect(compute('claude-haiku-5-5', million)).toBeCloseTo(10, 9)
  expect(compute('claude-haiku-5-5-20261001', million)).toBeCloseTo(10, 9)
  expect(compute('mine-20260101', million)).toBeCloseTo(1_008, 9)
  expect(compute('claude-haiku-4-5', million)).toBe(computeCostUsd('claude-haiku-4-5', million))
  expect(compute('unknown', million)).toBe(0)
})
