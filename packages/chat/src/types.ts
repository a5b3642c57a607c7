import type { AnswerKind, CaptionTrack, Cue, SummaryPoint, SummaryUsage, VideoInfo } from '@subtext/contracts'

/** The video that a conversation is about. */
export interface ChatSource {
  video: VideoInfo
  track: CaptionTrack
  cues: Cue[]
  /** Whether the account's own earlier calls keep the transcript in the provider's cache. */
  hasOwnCache: boolean
  /** Returns the notes taken on a transcript that is too long for one prompt, as far as there are any. */
  readNotes(): Promise<SummaryPoint[]>
}

/** A sentence of an answer, or a passage, with the segments that support it. Positions count from 1. */
export interface AnswerPart {
  text: string
  segmentIds: number[]
}

/** A question that was answered before. */
export interface EarlierExchange {
  question: string
  kind: AnswerKind
  parts: AnswerPart[]
}

export interface Question {
  text: string
  /** The oldest first. */
  earlier: EarlierExchange[]
}

/**
 * What went otherwise than expected: the model could not be used (`unavailable`) or declined to answer (`declined`), or its
 * answer broke off after what was kept (`incomplete`).
 */
export type AnswerProblem = 'unavailable' | 'declined' | 'incomplete'

export interface Answer {
  kind: AnswerKind
  parts: AnswerPart[]
  /** BCP-47. */
  language: string
  /** ID of the model that wrote it, or `extractive`. */
  model: string
  /** What a model was paid, even if it did not write the answer. Null: no model was used. */
  usage: (SummaryUsage & { model: string }) | null
  problem: AnswerProblem | null
}
