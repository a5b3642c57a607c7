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

/**
 * How a summary came about. `combined`: one call for all modes; `per_mode`: a call for each over the whole transcript;
 * `map_reduce`: notes on the parts of a long transcript, then a call for each mode over the notes; `extractive`: without a model.
 */
export const SUMMARY_STRATEGIES = ['combined', 'per_mode', 'map_reduce', 'extractive'] as const
export type SummaryStrategy = (typeof SUMMARY_STRATEGIES)[number]

/** What checking a summary against its transcript has shown. */
export interface SummaryQuality {
  /** Share of the transcript's five-minute windows that the summary cites, 0 to 1. */
  coverage: number
  /** Citations its author made, and those of them that hold. */
  citations: number
  supportedCitations: number
  /** Claims that were dropped, or are shown without a citation, since the segments they name do not bear them out. */
  unsupportedClaims: number
  strategy: SummaryStrategy
  /** Parts the transcript was read in. */
  chunks: number
  /** The transcript or its surroundings hold what looks like orders to a model. */
  injectionSuspected: boolean
  /** Made from passages at even distances, since the whole was too much; not, unless told. */
  isSampled?: boolean
}

export interface Summary {
  mode: SummaryMode
  content: SummaryContent
  /** Identifier of the model that wrote it, or `extractive`. */
  model: string
  usage: SummaryUsage
  /** Missing where nothing is known of it. */
  quality?: SummaryQuality | null
}

/** Why something was spent that is in no summary: notes on a part of a long video, or an answer that could not be used. */
export const SPENDING_PURPOSES = ['notes', 'refused', 'unusable', 'failed'] as const
export type SpendingPurpose = (typeof SPENDING_PURPOSES)[number]

export interface Spending {
  purpose: SpendingPurpose
  /** Null for what served several modes. */
  mode: SummaryMode | null
  model: string
  usage: SummaryUsage
}
