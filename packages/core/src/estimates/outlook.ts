import type { CaptionTrack, SummaryMode, VideoInfo, VideoOptions } from '@subtext/contracts'

/** Sizes of a transcript from which the cost of its summaries is forecast. */
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
  /** The bounds between which the actual size lies. */
  size: Record<keyof CostRange, TranscriptSize>
  modes: SummaryMode[]
  instructions: string | null
  /** Whether the provider's cache holds the transcript. */
  cached: 'no' | 'maybe' | 'likely'
  hasNotes: boolean
  /** The modes of the summaries from which the text of an infographic is written. Null if none is. */
  infographic: SummaryMode[] | null
}

export interface Forecast {
  costUsd: CostRange
  tokens: { input: number; output: number }
}

/** What a summary, notes on a part or the text of an infographic cost in the past. */
export interface UsageSample {
  written: SummaryMode | 'notes' | 'infographic'
  size: TranscriptSize
  promptTokens: number | null
  outputTokens: number
}

/** What is written about, and how. */
interface WritingIdentity {
  transcriptId: string
  track: CaptionTrack
  cueCount: number
  instructions: string | null
  outputLanguage: string | undefined
}

export interface SummaryIdentity extends WritingIdentity {
  /** The only account that may reuse the summary. Null if all accounts may. */
  account: string | null
  mode: SummaryMode
}

export interface InfographicIdentity extends WritingIdentity {
  /** The summaries from which it is written, in the order of `SUMMARY_MODES`. */
  summaryIds: string[]
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
  /** Returns the key under which the summary would be stored. */
  buildKey(summary: SummaryIdentity): Buffer
  readonly hasInfographics: boolean
  /** Returns the key under which the infographic would be stored. */
  buildInfographicKey(infographic: InfographicIdentity): Buffer
  /** Returns a forecast that has learned from earlier usage. */
  learn(samples: UsageSample[]): (request: ForecastRequest) => Forecast
}
