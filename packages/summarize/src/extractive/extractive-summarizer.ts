import { ServiceError, type SummaryContent, type SummaryUsage } from '@subtext/contracts'
import { listPoints } from '@subtext/render'
import { computeCoverage } from '../coverage.ts'
import { suspectInjection } from '../injection.ts'
import { createPacer } from '../pacer.ts'
import { EXTRACTIVE, type Summarizer, type SummarySource } from '../summarizer.ts'
import { analyseTranscript } from './analysis.ts'
import { layOut } from './layouts.ts'

const FREE: SummaryUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
}

/** Sentences of the transcript are where they were found. */
function describeQuality(content: SummaryContent, { cues }: SummarySource) {
  const citations = listPoints(content).filter(({ segmentIds }) => segmentIds.length > 0).length
  return {
    coverage: computeCoverage(content, cues),
    citations,
    supportedCitations: citations,
    unsupportedClaims: 0,
    strategy: 'extractive' as const,
    chunks: 1,
  }
}

/**
 * Summaries made of the transcript's own sentences: no model, no network, the same for the same input. A transcript
 * without a letter or digit gives `SUMMARY_UNAVAILABLE` (final) for every mode; an aborted signal throws its reason.
 */
export const createExtractiveSummarizer = (): Summarizer => ({
  model: EXTRACTIVE,
  promptVersion: 'extractive-3',
  canTranslate: false,
  summarize: async (source, modes, { signal, onSummary }) => {
    const pace = createPacer(signal)
    await pace()
    if (modes.length === 0) return []
    const analysis = await analyseTranscript(source, pace)
    if (analysis === null) {
      const error = new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false })
      return modes.map((mode) => ({ mode, reason: 'wordless' as const, error }))
    }
    const injectionSuspected = await suspectInjection(source, pace)
    for (const mode of modes) {
      const content = layOut(mode, analysis)
      const quality = { ...describeQuality(content, source), injectionSuspected, isSampled: analysis.isSampled }
      await onSummary({ mode, content, model: EXTRACTIVE, usage: { ...FREE }, quality })
      await pace()
    }
    return []
  },
})
