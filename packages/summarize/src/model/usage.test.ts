import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { splitUsage } from './usage.ts'

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
