export { createExtractiveSummarizer } from './extractive/extractive-summarizer.ts'
export { createModelSummarizer } from './model/model-summarizer.ts'
export { createPacer, type Pace } from './pacer.ts'
export {
  EXTRACTIVE,
  type NotesStore,
  type SummarizeOptions,
  type Summarizer,
  type SummarySource,
  type UnwrittenReason,
  type UnwrittenSummary,
} from './summarizer.ts'
export { withFallback } from './with-fallback.ts'
