import type {
  CaptionTrack,
  Cue,
  ServiceError,
  Spending,
  Summary,
  SummaryMode,
  SummaryPoint,
  VideoInfo,
} from '@subtext/contracts'

export interface SummarySource {
  video: VideoInfo
  track: CaptionTrack
  cues: Cue[]
  instructions: string | null
  /** BCP-47; null: the language of the transcript. */
  outputLanguage: string | null
}

export interface SummarizeOptions {
  signal: AbortSignal
  /** Called as each summary is finished, in any order, before `summarize` returns. */
  onSummary(summary: Summary): Promise<void>
  /** Called for everything that is paid for beside what the summaries themselves say they cost. */
  onSpending(spending: Spending): Promise<void>
  /** Missing: none are kept. */
  notes?: NotesOnParts
}

/** Notes on the parts of a transcript that is too long to be read at once, kept for whoever has to read it again. */
export interface NotesOnParts {
  /** Those that were kept under that key; null: they have to be taken. */
  find(key: Buffer): Promise<SummaryPoint[] | null>
  /** `key` covers everything but the transcript that could make them other ones. */
  keep(key: Buffer, notes: SummaryPoint[]): Promise<void>
}

/**
 * Why there is no summary. All but the last are about what was to be summarized, and would be the same another time:
 *
 * - `declined`: the model will not summarize it;
 * - `too-long`: the model has no room for it;
 * - `unusable`: there were answers, and none could be used;
 * - `wordless`: nothing is said in it;
 * - `unavailable`: the model itself, or the way to it, has failed.
 */
export type UnwrittenReason = 'declined' | 'too-long' | 'unusable' | 'wordless' | 'unavailable'

export interface UnwrittenSummary {
  mode: SummaryMode
  reason: UnwrittenReason
  error: ServiceError
}

/** What results name as the model where none was used. */
export const EXTRACTIVE = 'extractive'

export interface Summarizer {
  /** What results name as the model. */
  readonly model: string
  /** Changes whenever the same transcript would be summarized otherwise; part of the cache key. */
  readonly promptVersion: string
  /** Writes in other languages than that of the transcript. */
  readonly canTranslate: boolean
  /** Writes the modes that can be written and returns the ones that could not. */
  summarize(source: SummarySource, modes: SummaryMode[], options: SummarizeOptions): Promise<UnwrittenSummary[]>
}
