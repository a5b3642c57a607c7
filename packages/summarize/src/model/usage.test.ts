import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { priceUsage, splitUsage } from './usage.ts'

test('splits a usage into parts that add up to the whole', () => {
  const usage = fc.record({
    inputTokens: fc.nat(100_000),
    cachedInputTokens: fc.nat(100_000),
    cacheWriteTokens: fc.nat(100_000),
    outputTokens: fc.nat(30_000),
    costUsd: fc.nat(5_000_000).map((micro) => micro / 1e6),
  })
  fc.assert(
    fc.property(usage, fc.array(fc.nat(5_000), { minLength: 1, maxLength: 5 }), (whole, lengths) => {
      const parts = splitUsage(whole, lengths)
      expect(parts).toHaveLength(lengths.length)
      for (const key of ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens'] as const) {
        expect(parts.reduce((sum, part) => sum + part[key], 0)).toBe(whole[key])
      }
      const output = parts.reduce((sum, part) => sum + part.outputTokens, 0)
      expect(output).toBe(lengths.some((length) => length > 0) ? whole.outputTokens : 0)
      expect(parts.reduce((sum, part) => sum + part.costUsd, 0)).toBeCloseTo(whole.costUsd, 9)
    }),
    { numRuns: fuzzRuns(), seed: 20_261_121 },
  )
})

test.each([
  [0.000_004_5, 0.000_005],
  [0.000_000_5, 0.000_001],
  [0.000_000_49, 0],
  [1.000_000_6, 1.000_001],
])('prices a call in whole millionths of a dollar, as the store rounds amounts (%d)', (cost, stored) => {
  const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 4 }
  expect(priceUsage('model', usage, () => cost)).toEqual({ ...usage, costUsd: stored })
})
