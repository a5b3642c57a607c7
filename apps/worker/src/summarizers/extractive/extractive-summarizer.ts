import { ServiceError, type SummaryUsage } from '@subtext/contracts'
import type { Summarizer } from '../../pipeline/ports.ts'
import { analyseTranscript } from './analysis.ts'
import { layOut } from './layouts.ts'
import { createPacer } from './pacer.ts'

const FREE: SummaryUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
}

/**
 * Summaries made of the transcript's own sentences: no model, no network, the same for the same input. A transcript
 * without a letter or digit gives `SUMMARY_UNAVAILABLE` (final) for every mode; an aborted signal throws its reason.
 */
export const createExtractiveSummarizer = (): Summarizer => ({
  model: 'extractive',
  promptVersion: 'extractive-1',
  summarize: async (source, modes, { signal, onSummary }) => {
    const pace = createPacer(signal)
    await pace()
    if (modes.length === 0) return []
    const analysis = await analyseTranscript(source, pace)
    if (analysis === null) {
      const error = new ServiceError('SUMMARY_UNAVAILABLE', {
        message: 'The transcript has no words to summarize.',
        retryable: false,
      })
      return modes.map((mode) => ({ mode, error }))
    }
    for (const mode of modes) {
      const content = layOut(mode, analysis)
      await onSummary({ mode, content, model: 'extractive', usage: { ...FREE } })
      await pace()
    }
    return []
  },
})
