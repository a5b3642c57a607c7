import type { FormSchema } from './template-schema.ts'
import type { SummaryMode, TrackKind, TrackRole } from './vocabulary.ts'

/** A silence before a word of a cue: the word, from 0, and its milliseconds. */
export type Pause = readonly [word: number, milliseconds: number]

/** A timed line of a caption track. Times are whole milliseconds from the start of the video. */
export interface Cue {
  startMs: number
  durationMs: number
  text: string
  /** The silences before its words, where the track has a time for each word. */
  pauses?: readonly Pause[]
  /** Who speaks, where the captions say it. */
  speaker?: string
}

/**
 * A caption track as the platform lists it, without its short-lived URL. `key` is the platform's identifier of the track and
 * unique within a video.
 */
export interface CaptionTrack {
  key: string
  /** BCP-47. */
  language: string
  kind: TrackKind
  name: string
  /** The track that the platform shows unless the viewer chooses another. */
  isDefault: boolean
  /** Absent for a track of the video as it was filmed. */
  role?: TrackRole
  /** Set once the track has turned out to be unusable. */
  fault?: TrackFault
}

/** Why a track is passed over: it holds no words, or the platform sends nothing for it. */
export type TrackFault = 'no_speech' | 'withheld'

/** A claim of a summary, and the cues that support it, by their position in the transcript from 1. */
export interface SummaryPoint {
  text: string
  segmentIds: number[]
}

export interface SummarySection {
  heading: string
  points: SummaryPoint[]
}

/**
 * The content of a summary before layout. Every mode has the same structure: `overview` is running text, `sections` are
 * lists with headings. The mode decides which parts are filled and how they look.
 */
export interface SummaryContent {
  overview: SummaryPoint[]
  sections: SummarySection[]
}

/** Returns all points of a summary, in the order in which they are shown. */
export const listPoints = (content: SummaryContent): SummaryPoint[] => [
  ...content.overview,
  ...content.sections.flatMap((section) => section.points),
]

/** Tokens and money spent on one summary. Costs are US dollars. */
export interface SummaryUsage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
  costUsd: number
  /** Holds what the call could have cost, until its cost is recorded. */
  reservation?: CostReservation
}

/** What was set aside for a call of the model, which never costs more. */
export interface CostReservation {
  readonly id: string
  readonly maxCostUsd: number
  /** Keeps what is left of it set aside for good, because what the call cost is not on any receipt. */
  keep(): void
  /** Gives back what is left of it, unless it is to be kept. Never rejects. */
  release(): Promise<void>
}

/**
 * Sets the cost of a call aside; null if the price of the model is unknown. Rejects with `QUOTA_EXCEEDED` if it does not fit into
 * a limit.
 */
export type ReserveCost = (maxCostUsd: number | null) => Promise<CostReservation>

/**
 * How a summary was made. `combined`: one model call for all modes; `per_mode`: one call per mode, each with the whole
 * transcript; `map_reduce`: notes on the parts of a long transcript, then one call per mode with the notes; `extractive`:
 * without a model.
 */
export const SUMMARY_STRATEGIES = ['combined', 'per_mode', 'map_reduce', 'extractive'] as const
export type SummaryStrategy = (typeof SUMMARY_STRATEGIES)[number]

/** The outcome of checking a summary against its transcript. */
export interface SummaryQuality {
  /** Share of the transcript's five-minute windows that the summary cites, 0 to 1. */
  coverage: number
  /** Citations that the model made, and how many of them passed the check. */
  citations: number
  supportedCitations: number
  /** Claims and headings that were left out, because the cited segments do not carry them. */
  unsupportedClaims: number
  strategy: SummaryStrategy
  /** Number of parts in which the transcript was read. */
  chunks: number
  /** Whether the transcript or the text around it contains what looks like instructions to a model. */
  injectionSuspected: boolean
  /** Whether only evenly spaced passages were read, because the whole transcript was too long. Default: false. */
  isSampled?: boolean
}

export interface Summary {
  mode: SummaryMode
  content: SummaryContent
  /** ID of the model that wrote it, or `extractive`. */
  model: string
  usage: SummaryUsage
  /** Absent or null if it was never checked. */
  quality?: SummaryQuality | null
}

/**
 * Purposes of spending that belongs to no single summary: notes on a part of a long video, the texts of an infographic, a filled
 * template, or an answer that was not used.
 */
export const SPENDING_PURPOSES = ['notes', 'infographic', 'extraction', 'refused', 'unusable', 'failed'] as const
export type SpendingPurpose = (typeof SPENDING_PURPOSES)[number]

export interface Spending {
  purpose: SpendingPurpose
  /** Null if it served several modes. */
  mode: SummaryMode | null
  model: string
  usage: SummaryUsage
}

/** A number that is said in the video. */
export interface InfographicFigure {
  /** In digits, as it is shown. */
  value: string
  /** Empty if the number counts what the label names. */
  unit: string
  label: string
  /** What its bar measures. */
  amount: number
  segmentId: number
}

/** What an infographic shows: checked against the transcript, or computed from it. */
export interface InfographicContent {
  /** Language of all texts (BCP-47). */
  language: string
  /** Null for the title of the video. */
  headline: string | null
  claims: SummaryPoint[]
  figures: InfographicFigure[]
  /** Whether the figures are values of one measure, to be compared as bars. */
  isChart: boolean
  /** The parts of the video in their order. Empty if it has no more than one. */
  parts: { title: string; startMs: number }[]
  /** How much is said in each equal part of the video, 0 to 1. */
  density: number[]
  /** Where each claim begins in the video. */
  momentsMs: number[]
  durationMs: number
  /** ID of the model that wrote the texts, or `extractive`. */
  model: string
}

/** A line that carries a value of an extraction. */
export interface ExtractionEvidence {
  segmentId: number
  startMs: number
  /** Word for word from the segment. */
  quote: string
}

/** A filled form, checked against the transcript. */
export interface ExtractionContent {
  /** Fits the schema of the template. */
  data: unknown
  /** By JSON pointer. */
  evidence: Record<string, ExtractionEvidence[]>
  /** JSON pointers of what was claimed and is not carried. */
  unsupported: string[]
  /** ID of the model that filled it, or `extractive`. */
  model: string
}

/** A filled template of a job. */
export interface Extraction extends ExtractionContent {
  template: string
  version: number
  schema: FormSchema
}
