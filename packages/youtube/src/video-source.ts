import type { CaptionOptions, CaptionResult } from '@subtext/captions'
import type { CaptionTrack, CleaningReport, Cue, VideoComment, VideoInfo } from '@subtext/contracts'

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
export type ReadCaptions = (body: Uint8Array[], options: CaptionOptions, signal: AbortSignal) => Promise<CaptionResult>
