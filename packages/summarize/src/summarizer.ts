import type {
  CaptionTrack,
  Cue,
  ReserveCost,
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
  /** BCP-47. Null means the language of the transcript. */
  outputLanguage: string | null
}

export interface OwnCache {
  /** Whether a transcript that is found there may be there because of the account itself. */
  isOwn: boolean
  /** Whether it will probably be found. */
  isKept: boolean
}

export interface SummarizeOptions {
  signal: AbortSignal
  /** Called as each summary is finished, in any order, before `summarize` returns. */
  onSummary(summary: Summary): Promise<void>
  /** Sets the cost of each call of a model aside. Default: nothing is set aside. */
  reserve?: ReserveCost
  /** Called for everything that is billed and not part of the usage of a summary. */
  onSpending(spending: Spending): Promise<void>
  /** Resolves with what the account's own earlier calls have left in the provider's cache. Default: nothing. */
  findOwnCache?: () => Promise<OwnCache>
  /** Without a store no notes are kept. */
  notes?: NotesStore
}

/** Stores notes on parts of a transcript that is too long for one prompt, for later runs. */
export interface NotesStore {
  /** Returns the notes saved under the key, or null if there are none. */
  find(key: Buffer): Promise<SummaryPoint[] | null>
  /** `key` covers everything besides the transcript that determines the notes. */
  save(key: Buffer, notes: SummaryPoint[]): Promise<void>
}

/**
 * Why a summary was not written. All reasons but the last would be the same in another attempt:
 *
 * - `declined`: the model refused to summarize it;
 * - `too-long`: it does not fit into the model's context;
 * - `unusable`: the model answered, but no answer could be used;
 * - `wordless`: the transcript has no words;
 * - `over-limit`: its cost does not fit into a spending limit;
 * - `unavailable`: the model, or the connection to it, failed.
 */
export type UnwrittenReason = 'declined' | 'too-long' | 'unusable' | 'wordless' | 'over-limit' | 'unavailable'

export interface UnwrittenSummary {
  mode: SummaryMode
  reason: UnwrittenReason
  error: ServiceError
}

export interface Summarizer {
  /** The model name in results. */
  readonly model: string
  /** Changes whenever the same transcript would be summarized differently; part of the cache key. */
  readonly promptVersion: string
  /** Whether it can write in another language than that of the transcript. */
  readonly canTranslate: boolean
  /** Whether its summaries cost nothing, so that a lost one can be written again. Default: no. */
  readonly isFree?: boolean
  /** Returns whether a transcript is certainly too long to be read as a whole. Default: never. */
  readsInParts?(cues: readonly Cue[]): boolean
  /** Writes summaries, and returns the modes that it could not write. */
  summarize(source: SummarySource, modes: SummaryMode[], options: SummarizeOptions): Promise<UnwrittenSummary[]>
}
