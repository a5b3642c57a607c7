import type { SummaryMode, TrackKind } from '@subtext/contracts'

/** Everything that documents and summaries say in words of our own. */
export interface Labels {
  /** Between a label and its value. */
  colon: string
  brackets: [open: string, close: string]
  contents: string
  summary: string
  /** Filled templates. */
  extractions: string
  chapters: string
  transcript: string
  modes: Record<SummaryMode, string>
  channel: string
  address: string
  duration: string
  published: string
  /** When the result was completed. */
  created: string
  captions: string
  /** What cleaning removed from the captions; `{count}` is replaced with the number of lines. */
  removed: string
  repetitions: string
  sounds: string
  language: string
  tracks: Record<TrackKind, string>
  truncated: string
  /** `{model}` is replaced with the name of the language model. */
  writtenBy: string
  /** In place of `writtenBy` if no model wrote the summary. */
  sentences: string
  /** Names the link to a moment of the video. */
  video: string
  /** Headings within summaries. */
  takeaways: string
  actions: string
  keyTerms: string
  questions: string
  /** The answer to a question about something else than the video. */
  notInVideo: string
  /** None of many videos answers a question. */
  notInVideos: string
  digest: string
  disagreements: string
  videos: string
  notProcessed: string
}
