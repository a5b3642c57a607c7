import type { SummaryMode, TrackKind } from './vocabulary.ts'

/** One timed line of a caption track. Times are whole milliseconds from the start of the video. */
export interface Cue {
  startMs: number
  durationMs: number
  text: string
}

/**
 * A caption track as the platform lists it, without its (short-lived) address.
 * `key` is the platform's own name of the track and unique within a video.
 */
export interface CaptionTrack {
  key: string
  /** BCP-47. */
  language: string
  kind: TrackKind
  name: string
  /** The platform shows this one unless the viewer chooses another. */
  isDefault: boolean
}

/** A claim of a summary and the cues (1-based positions in the transcript) it rests on. */
export interface SummaryPoint {
  text: string
  segmentIds: number[]
}

export interface SummarySection {
  heading: string
  points: SummaryPoint[]
}

/**
 * What a summary says, before it is laid out. Every mode uses the same shape:
 * `overview` is running text, `sections` are headed lists. The mode decides which parts are filled and how they look.
 */
export interface SummaryContent {
  overview: SummaryPoint[]
  sections: SummarySection[]
}

/** Tokens and money spent on one summary. Costs are US dollars. */
export interface SummaryUsage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
  costUsd: number
}

export interface Summary {
  mode: SummaryMode
  content: SummaryContent
  /** Identifier of the model that wrote it, or `extractive`. */
  model: string
  usage: SummaryUsage
}
