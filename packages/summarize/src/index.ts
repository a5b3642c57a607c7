export { createExtractiveSummarizer } from './extractive/extractive-summarizer.ts'
export { createUnusableCounter } from './model/ask-model.ts'
export { createModelSummarizer } from './model/model-summarizer.ts'
export { createPacer, type Pace } from './pacer.ts'
export type {
  NotesStore,
  SummarizeOptions,
  Summarizer,
  SummarySource,
  UnwrittenReason,
  UnwrittenSummary,
} from './summarizer.ts'
export { withFallback } from './with-fallback.ts'
