import type { SummaryQuality } from '@subtext/contracts'
import { describeQuality, describeSummaryQuality } from './quality.ts'
import { buildSampleResult, sampleContent } from './testing/sample-result.ts'

const quality = (changes: Partial<SummaryQuality> = {}): SummaryQuality => ({
  coverage: 0.5,
  citations: 4,
  supportedCitations: 3,
  unsupportedClaims: 1,
  strategy: 'per_mode',
  chunks: 1,
  injectionSuspected: false,
  ...changes,
})
const summaries = (...qualities: (SummaryQuality | null)[]) =>
  qualities.map((item) => ({ mode: 'tldr' as const, content: sampleContent, model: 'm', quality: item }))

test('combines the highest coverage, all citations and all claims of the summaries', () => {
  const second = quality({ coverage: 2 / 3, citations: 8, supportedCitations: 8, injectionSuspected: true })
  const result = buildSampleResult({ truncated: true, summaries: summaries(quality(), second, null) })
  expect(describeQuality(result)).toEqual({
    coverage: 0.667,
    citation_precision: 0.917,
    unsupported_claims: 2,
    strategy: 'per_mode',
    truncated: true,
    injection_suspected: true,
  })
})

test.each([
  [['extractive', 'per_mode', 'per_mode'], 'per_mode'],
  [['per_mode', 'map_reduce'], 'per_mode'],
  [['map_reduce'], 'map_reduce'],
] as const)('reports for the strategies %j together: %s', (strategies, together) => {
  const result = buildSampleResult({ summaries: summaries(...strategies.map((strategy) => quality({ strategy }))) })
  expect(describeQuality(result).strategy).toBe(together)
})

test('reports summaries of sampled passages as truncated', () => {
  const truncatedWith = (...isSampled: (boolean | undefined)[]) =>
    describeQuality(buildSampleResult({ summaries: summaries(...isSampled.map((is) => quality({ isSampled: is }))) }))
      .truncated
  expect(truncatedWith(false, true)).toBe(true)
  expect(truncatedWith(false, undefined)).toBe(false)
})

test('reports what is unknown as null', () => {
  expect(describeSummaryQuality(null)).toEqual({
    coverage: null,
    citation_precision: null,
    unsupported_claims: 0,
    strategy: null,
  })
  expect(describeSummaryQuality(quality({ citations: 0, supportedCitations: 0 })).citation_precision).toBeNull()
})
