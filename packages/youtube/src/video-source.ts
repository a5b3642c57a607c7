import type { CaptionOptions, CaptionResult } from '@subtext/captions'
import type { CaptionTrack, CleaningReport, Cue, VideoComment, VideoInfo } from '@subtext/contracts'

export interface FetchOptions {
  /** Aborts every request of the fetch. */
  signal: AbortSignal
  /** `true`: only through a proxy; `false`: never through one; `null`: directly first, through a proxy when blocked. */
  useProxy: boolean | null
  /** Language (BCP-47) that the captions should be in, if any. Apps may not be told about all tracks. */
  language?: string
}

/** The cues of a transcript in order of time, with a report of what cleaning removed from the track. */
export interface SourcedTranscript {
  /** Never empty. */
  cues: Cue[]
  /** Absent for captions that were taken as they are. */
  cleaning?: CleaningReport
  /** The language that the captions themselves say, if the track has none. */
  language?: string
}

/** A video as the platform shows it now. Its caption addresses are short-lived, so it must not be stored. */
export interface SourcedVideo {
  info: VideoInfo
  tracks: CaptionTrack[]
  /** Throws `ServiceError`: `UnusableTrackError` if another track may be used instead. */
  fetchTranscript(track: CaptionTrack): Promise<SourcedTranscript>
  /** Fetches the time of publication (ISO 8601) when `info` lacks it. Resolves to null if it is not available soon. Never rejects. */
  fetchPublishedAt?(): Promise<string | null>
}

export interface VideoSource {
  /**
   * Throws `ServiceError` with the codes of the contract: `TRANSCRIPT_UNAVAILABLE` for a video without tracks,
   * `EgressesRestingError` if no egress may be tried before its `retryAt`, `LastingBlockError` if repeating the fetch is useless.
   */
  fetchVideo(videoId: string, options: FetchOptions): Promise<SourcedVideo>
  /** Fetches the top comments of a video, their texts safe to show. Throws `ServiceError`. */
  fetchComments(videoId: string, options: FetchOptions): Promise<VideoComment[]>
}

/** Reads the body of a caption track, given in chunks. Rejects with a `SyntaxError` if it is malformed, a `RangeError` if it
 * is too large or nested too deeply. */
export type ReadCaptions = (body: Uint8Array[], options: CaptionOptions, signal: AbortSignal) => Promise<CaptionResult>
