import type { CaptionTrack, SummaryMode, VideoInfo, VideoOptions } from '@subtext/contracts'

/** Counts of a transcript by which the cost of its summaries is forecast. */
export interface TranscriptSize {
  cues: number
  /** UTF-16 code units. */
  characters: number
  /** UTF-8. */
  bytes: number
}

export interface CostRange {
  low: number
  expected: number
  high: number
}

export interface ForecastRequest {
  /** Between which the actual size lies. */
  size: Record<keyof CostRange, TranscriptSize>
  modes: SummaryMode[]
  instructions: string | null
  /** Whether the provider's cache holds the transcript. */
  cached: 'no' | 'maybe' | 'likely'
  hasNotes: boolean
}

export interface Forecast {
  costUsd: CostRange
  tokens: { input: number; output: number }
}

/** What a summary, or notes on a part, took in the past. */
export interface UsageSample {
  written: SummaryMode | 'notes'
  size: TranscriptSize
  promptTokens: number | null
  outputTokens: number
}

export interface SummaryIdentity {
  /** The account that alone may reuse the summary. Null: all accounts may. */
  account: string | null
  transcriptId: string
  track: CaptionTrack
  cueCount: number
  mode: SummaryMode
  instructions: string | null
  outputLanguage: string | undefined
}

/** What is known of the workers' captions and summaries before a job is submitted. */
export interface SummaryOutlook {
  /** The model that writes summaries. */
  readonly model: string
  /** Returns the track that a job would use, and whether it is in the language that was requested, if any. */
  selectTrack(
    options: VideoOptions,
    video: { info: VideoInfo | null; tracks: CaptionTrack[] },
  ): { track: CaptionTrack; languageMatched: boolean }
  /** Returns the key by which the summary would be found. */
  buildKey(summary: SummaryIdentity): Buffer
  /** Returns a forecast that has learned from earlier usage. */
  learn(samples: UsageSample[]): (request: ForecastRequest) => Forecast
}
