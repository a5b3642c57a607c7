import type {
  CaptionTrack,
  CleaningReport,
  Cue,
  ServiceError,
  Spending,
  Summary,
  SummaryMode,
  SummaryPoint,
  VideoComment,
  VideoInfo,
} from '@subtext/contracts'
import type { CaptionOrder, CaptionResult } from '../captions/read-captions.ts'

export interface FetchOptions {
  /** Ends every request of the fetch. */
  signal: AbortSignal
  /** `true`: only through a proxy; `false`: never; `null`: directly, and through a proxy when blocked. */
  useProxy: boolean | null
}

/** What was said, in order of time, and what was taken from the track to get it. */
export interface SourcedTranscript {
  /** Never empty. */
  cues: Cue[]
  cleaning: CleaningReport
}

/** A video as the platform shows it now. Its caption addresses are short-lived, so it is not kept. */
export interface SourcedVideo {
  info: VideoInfo
  tracks: CaptionTrack[]
  /** Throws `ServiceError`. */
  fetchTranscript(track: CaptionTrack): Promise<SourcedTranscript>
  /** When it was published (ISO 8601), where `info` does not say; null when that cannot be had soon. Never rejects. */
  fetchPublishedAt?(): Promise<string | null>
}

export interface VideoSource {
  /** Throws `ServiceError` with the contract's codes; a video without any track is `TRANSCRIPT_UNAVAILABLE`. */
  fetchVideo(videoId: string, options: FetchOptions): Promise<SourcedVideo>
  /** The top comments of a video, their texts safe to show; none where there are none. Throws `ServiceError`. */
  fetchComments(videoId: string, options: FetchOptions): Promise<VideoComment[]>
}

/** Reads the body of a caption track, in pieces. Rejects with a `SyntaxError` for what is none, a `RangeError` for one too large. */
export type ReadCaptions = (body: Uint8Array[], order: CaptionOrder, signal: AbortSignal) => Promise<CaptionResult>

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

/** One call of a language model. Everything up to `instruction` is the same for all calls about a document. */
export interface TextModelCall {
  system: string
  document: string
  /** Other calls will have the same document: it is worth writing to the provider's cache. */
  isShared: boolean
  instruction: string
  /** JSON Schema the answer must have; part of what the provider caches. */
  schema: Record<string, unknown>
  maxOutputTokens: number
  signal: AbortSignal
  /** It is on its way to the model, after whatever it had to wait for. Called for every try. */
  onSend?: () => void
  /** The answer has begun: the prefix is in the provider's cache from now on. */
  onStart?: () => void
  /** Told of what a try has cost that brought nothing. */
  onLoss?: (usage: TextModelUsage) => void
}

export interface TextModelUsage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
}

export interface TextModelAnswer {
  text: string
  /** `cut`: it had no more room; `too-long`: the document does not fit into the model. */
  stop: 'complete' | 'cut' | 'refused' | 'too-long'
  usage: TextModelUsage
}

export interface TextModel {
  readonly model: string
  /** Throws `ServiceError` (`SUMMARY_UNAVAILABLE`), whose `retryable` says whether another try may help. */
  complete(call: TextModelCall): Promise<TextModelAnswer>
}
