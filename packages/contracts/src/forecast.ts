import type { SummaryMode } from './vocabulary.ts'

/** A small, a typical and a large value, between which the actual one lies. All three are the same if it is known. */
export type ForecastScenario = 'low' | 'expected' | 'high'

/** The size of a transcript, as the store knows it without reading the text. */
export interface TranscriptSize {
  cues: number
  /** UTF-16 code units of all cues. */
  characters: number
  /** The same text in UTF-8. */
  bytes: number
}

/** What is to be written. */
export interface ForecastRequest {
  size: Record<ForecastScenario, TranscriptSize>
  /** The modes to be written. */
  modes: SummaryMode[]
  instructions: string | null
  /** Whether the provider's cache probably holds the document already. */
  cached: 'no' | 'maybe' | 'likely'
  /** Whether notes on the parts of a long transcript exist. */
  hasNotes: boolean
  /** The modes of the summaries from which the text of an infographic is written. Null if none is. */
  infographic: SummaryMode[] | null
  /** Number of templates to be filled. Default: none. */
  templates?: number
}

export interface Forecast {
  costUsd: Record<ForecastScenario, number>
  /** As expected. */
  tokens: { input: number; output: number }
}

/** The tokens that a summary, notes on a part or the text of an infographic took in the past. */
export interface UsageSample {
  written: SummaryMode | 'notes' | 'infographic'
  /** The size of the transcript. */
  size: TranscriptSize
  /** All tokens of the prompt, cached or not. Null if the prompt was not about this transcript as a whole, or served several. */
  promptTokens: number | null
  outputTokens: number
}
