import type { CaptionTrack, Cue, SummaryPoint, SummaryUsage, VideoInfo } from '@subtext/contracts'

/** The video that a conversation is about. */
export interface ChatSource {
  video: VideoInfo
  track: CaptionTrack
  cues: Cue[]
  /** Returns the notes taken on a transcript that is too long for one prompt, as far as there are any. */
  readNotes(): Promise<SummaryPoint[]>
}

/** A sentence of an answer, or a passage, with the segments that support it. Positions count from 1. */
export interface AnswerPart {
  text: string
  segmentIds: number[]
}

export const ANSWER_KINDS = ['answer', 'not_in_video', 'passages'] as const
export type AnswerKind = (typeof ANSWER_KINDS)[number]

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
  /** Null if no model was paid. */
  usage: SummaryUsage | null
  problem: AnswerProblem | null
}
