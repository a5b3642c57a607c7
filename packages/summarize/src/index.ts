export { buildExtractionKey } from './extract/extraction-key.ts'
export {
  createExtractor,
  type ExtractionOutcome,
  type Extractor,
  type TemplateToFill,
} from './extract/extractor.ts'
export { listMissingWarnings, type MissingTemplate } from './extract/list-extraction-warnings.ts'
export { createExtractiveSummarizer } from './extractive/extractive-summarizer.ts'
export { createForecaster, type ForecastSummaries } from './forecast/forecast.ts'
export { buildInfographicKey } from './infographic/infographic-key.ts'
export { createInfographicWriter, type InfographicWriter } from './infographic/write-infographic.ts'
export { listSummaryWarnings } from './list-summary-warnings.ts'
export { createUnusableCounter } from './model/ask-model.ts'
export type { PromptLimits } from './model/limits.ts'
export { buildPromptVersion, createModelSummarizer } from './model/model-summarizer.ts'
export { createPacer, type Pace } from './pacer.ts'
export { buildExtractionVersion } from './prompts/extraction.ts'
export { INFOGRAPHIC_VERSION } from './prompts/infographic.ts'
export type {
  NotesStore,
  SummarizeOptions,
  Summarizer,
  SummarySource,
  UnwrittenReason,
  UnwrittenSummary,
} from './summarizer.ts'
export { buildSummaryKey, type SummaryKeyParts, selectSummaryLanguage } from './summary-key.ts'
export { withFallback } from './with-fallback.ts'
