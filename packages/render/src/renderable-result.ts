import type {
  CaptionTrack,
  CleaningReport,
  Cue,
  Extraction,
  ResultUsage,
  SelectionReason,
  Summary,
  VideoComment,
  VideoInfo,
} from '@subtext/contracts'

/** A finished job with everything that its result shows. Its transcript is a stream that can be read repeatedly. */
export interface RenderableResult {
  jobId: string
  videoInfo: VideoInfo
  track: CaptionTrack
  cleaning?: CleaningReport | null
  selectionReason: SelectionReason
  truncated: boolean
  /** The language that was requested for the summaries (BCP-47), if any. */
  outputLanguage?: string | null
  summaries: Pick<Summary, 'mode' | 'content' | 'model' | 'quality'>[]
  /** The templates that were filled. Default: none. */
  extractions?: Extraction[]
  /** Start in milliseconds of every cited segment (see `selectCitedSegments`), by its position from 1. */
  citedStarts: ReadonlyMap<number, number>
  /** Their texts are plain text. */
  comments?: VideoComment[] | null
  /** Address of the infographic, if there is one, and what the picture says in words. */
  infographic?: { url: string; altText: string } | null
  usage: ResultUsage
  processingSeconds: number
  completedAt: Date
  attribution: { service_name?: string; agent_name?: string; client_reference?: string }
  /** Reads the transcript from the first cue, in parts of limited size. Closed early if the output is. */
  cues: () => AsyncIterable<Cue[]>
}
