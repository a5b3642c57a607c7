import { EXTRACTIVE, listPoints, ServiceError, type SummaryContent, type SummaryUsage } from '@subtext/contracts'
import { computeCoverage } from '../coverage.ts'
import { createPacer } from '../pacer.ts'
import type { Summarizer, SummarySource } from '../summarizer.ts'
import { suspectInjection } from '../suspect-injection.ts'
import { analyzeTranscript } from './analysis.ts'
import { layOut } from './layouts.ts'

interface ExtractiveSummarizerOptions {
  /** Maximum number of characters read. Of a longer transcript, only evenly spaced passages are read. */
  maxChars?: number
}

const FREE: SummaryUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
}

/** Every sentence of the transcript is supported by the segments it comes from. */
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
 * Creates a summarizer that selects sentences of the transcript, without a model or the network. The same input gives the
 * same summaries. For a transcript without a letter or digit every mode fails with a final `SUMMARY_UNAVAILABLE`. Throws
 * the signal's reason once it is aborted.
 */
export const createExtractiveSummarizer = ({ maxChars }: ExtractiveSummarizerOptions = {}): Summarizer => ({
  model: EXTRACTIVE,
  promptVersion: 'extractive-8',
  canTranslate: false,
  isFree: true,
  summarize: async (source, modes, { signal, onSummary }) => {
    const pace = createPacer(signal)
    await pace()
    if (modes.length === 0) return []
    const analysis = await analyzeTranscript(source, maxChars, pace)
    if (analysis === null) {
      const error = new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false })
      return modes.map((mode) => ({ mode, reason: 'wordless' as const, error }))
    }
    const injectionSuspected = await suspectInjection(source, pace)
    const contents = layOut(analysis, modes)
    for (const mode of modes) {
      const content = contents.get(mode)
      if (!content) continue
      const quality = { ...describeQuality(content, source), injectionSuspected, isSampled: analysis.isSampled }
      await onSummary({ mode, content, model: EXTRACTIVE, usage: { ...FREE }, quality })
      await pace()
    }
    return []
  },
})
