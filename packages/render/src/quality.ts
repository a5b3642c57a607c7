import type { ResultQuality, SummaryQuality, SummaryStrategy } from '@subtext/contracts'
import type { RenderableResult } from './renderable-result.ts'

const PLACES = 1_000
const round = (share: number): number => Math.round(share * PLACES) / PLACES

const sum = (qualities: SummaryQuality[], pick: (quality: SummaryQuality) => number): number =>
  qualities.reduce((total, quality) => total + pick(quality), 0)

/** Returns the strategy of most summaries; the first one in case of a tie. */
function selectStrategy(qualities: SummaryQuality[]): SummaryStrategy | null {
  const strategies = qualities.map(({ strategy }) => strategy)
  const countOf = (strategy: SummaryStrategy): number => strategies.filter((other) => other === strategy).length
  return strategies.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? null
}

function describe(qualities: SummaryQuality[]) {
  const cited = sum(qualities, ({ citations }) => citations)
  return {
    coverage: qualities.length > 0 ? round(Math.max(...qualities.map(({ coverage }) => coverage))) : null,
    citation_precision:
      cited > 0 ? round(sum(qualities, ({ supportedCitations }) => supportedCitations) / cited) : null,
    unsupported_claims: sum(qualities, ({ unsupportedClaims }) => unsupportedClaims),
    strategy: selectStrategy(qualities),
  }
}

/** Returns the quality of one summary as it is shown to users. */
export const describeSummaryQuality = (quality: SummaryQuality | null | undefined) => describe(quality ? [quality] : [])

/** Returns the quality of all summaries together as it is shown to users. */
export function describeQuality({ summaries, truncated }: RenderableResult): ResultQuality {
  const qualities = summaries.flatMap(({ quality }) => quality ?? [])
  return {
    ...describe(qualities),
    truncated: truncated || qualities.some(({ isSampled }) => isSampled),
    injection_suspected: qualities.some(({ injectionSuspected }) => injectionSuspected),
  }
}
