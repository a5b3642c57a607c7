import type {
  CaptionTrack,
  CleaningReport,
  Cue,
  ResultUsage,
  SelectionReason,
  Summary,
  VideoComment,
  VideoInfo,
} from '@subtext/contracts'

/** Everything a finished job shows, with the transcript as a stream that can be read more than once. */
export interface RenderableResult {
  jobId: string
  videoInfo: VideoInfo
  track: CaptionTrack
  cleaning?: CleaningReport | null
  selectionReason: SelectionReason
  truncated: boolean
  summaries: Pick<Summary, 'mode' | 'content' | 'model' | 'quality'>[]
  /** Start in milliseconds of every segment the summaries cite (see `selectCitedSegments`), by 1-based position. */
  citedStarts: ReadonlyMap<number, number>
  /** Plain text. */
  comments?: VideoComment[] | null
  usage: ResultUsage
  processingSeconds: number
  completedAt: Date
  attribution: { service_name?: string; agent_name?: string; client_reference?: string }
  /** Starts a reading from the first cue, in parts of bounded size; ended early when the output is. */
  cues: () => AsyncIterable<Cue[]>
}
