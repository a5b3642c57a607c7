import type {
  CaptionTrack,
  Forecast,
  ForecastRequest,
  PinnedTemplate,
  SummaryMode,
  UsageSample,
  VideoInfo,
  VideoOptions,
} from '@subtext/contracts'

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

export interface ExtractionIdentity extends WritingIdentity {
  template: PinnedTemplate
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
  /** Returns the key under which a filled template would be stored. */
  buildExtractionKey(extraction: ExtractionIdentity): Buffer
  /** Returns a forecast that has learned from earlier usage. */
  learn(samples: UsageSample[]): (request: ForecastRequest) => Forecast
}
