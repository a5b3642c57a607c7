import { SUMMARY_MODES, type Summary, type SummaryContent, type SummaryMode } from '@subtext/contracts'
import { createExtractiveSummarizer } from '../extractive/extractive-summarizer.ts'
import type { SummarySource } from '../summarizer.ts'

/** Summarizes without a model. */
export const summarizeAll = async (
  source: SummarySource,
  modes: SummaryMode[] = [...SUMMARY_MODES],
  summarizer = createExtractiveSummarizer(),
) => {
  const summaries: Summary[] = []
  const unwritten = await summarizer.summarize(source, modes, {
    signal: new AbortController().signal,
    onSummary: async (summary) => void summaries.push(summary),
    onSpending: async () => {},
  })
  return { summaries, unwritten }
}

/** Returns the extractive summary of one mode. */
export const contentOf = async (source: SummarySource, mode: SummaryMode): Promise<SummaryContent> => {
  const { summaries } = await summarizeAll(source, [mode])
  return summaries[0]?.content ?? { overview: [], sections: [] }
}
