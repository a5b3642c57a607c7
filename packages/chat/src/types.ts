import type { AnswerKind, CaptionTrack, Cue, SummaryPoint, VideoInfo } from '@subtext/contracts'
import type { BilledUsage } from '@subtext/llm'

/** The video that a conversation is about. */
export interface ChatSource {
  video: VideoInfo
  track: CaptionTrack
  cues: Cue[]
  /** Whether the account's own earlier calls keep the transcript in the provider's cache. */
  hasOwnCache: boolean
  /** Returns the existing notes on a transcript that is too long for one prompt. */
  readNotes(): Promise<SummaryPoint[]>
}

/** A sentence of an answer, or a passage, with the segments that support it. Positions count from 1. */
export interface AnswerPart {
  text: string
  segmentIds: number[]
}

/** A question that was answered before. */
export interface EarlierExchange<P = AnswerPart> {
  question: string
  kind: AnswerKind
  parts: P[]
}

export interface ChatQuestion<P = AnswerPart> {
  text: string
  /** Oldest first. */
  earlier: EarlierExchange<P>[]
}

/**
 * What went wrong: the model could not be used (`unavailable`) or declined to answer (`declined`), or its answer broke off
 * after what was kept (`incomplete`).
 */
export type AnswerProblem = 'unavailable' | 'declined' | 'incomplete'

export interface Answer<P = AnswerPart> {
  kind: AnswerKind
  parts: P[]
  /** BCP-47. */
  language: string
  /** ID of the model that wrote it, or `extractive`. */
  model: string
  /** The cost of the model calls, even if the model did not write the answer. Null if no model was used. */
  usage: BilledUsage | null
  problem: AnswerProblem | null
}
