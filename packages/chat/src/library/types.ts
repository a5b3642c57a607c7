import type { Cue, VideoInfo } from '@subtext/contracts'
import type { Answer, ChatQuestion } from '../types.ts'

/** A video of the library, in one answer always the same object. */
export interface LibraryVideo {
  jobId: string
  info: VideoInfo
  /** Of the transcript, BCP-47. */
  language: string
}

/** Consecutive segments of a video that fit a question. */
export interface FoundPassage {
  video: LibraryVideo
  /** Position of the first segment in the transcript, from 1. */
  first: number
  cues: Cue[]
}

export interface PassageRequest {
  question: string
  /** The question before it, if there is one. */
  earlier?: string | undefined
  /** Further words that may be said where the answer is. */
  words: readonly string[]
}

/** The videos that a conversation is about. */
export interface LibrarySource {
  /** Only this account has it. Prompts begin with it, because a provider's cache is shared by all accounts. */
  key: string
  /** Of the transcripts, BCP-47. */
  languages: readonly string[]
  /** Finds the passages that fit a question, the best first. */
  findPassages(request: PassageRequest): Promise<FoundPassage[]>
}

/** A segment that supports a part of an answer. */
export interface LibraryLine {
  video: LibraryVideo
  segmentId: number
  startMs: number
  text: string
}

/** A sentence of an answer, or a passage, with the segments that support it. */
export interface LibraryPart {
  text: string
  lines: LibraryLine[]
}

/** A part of an earlier answer. */
export interface EarlierPart {
  text: string
  lines: { jobId: string; segmentId: number }[]
}

export type AskedOfLibrary = ChatQuestion<EarlierPart>
export type WrittenLibraryAnswer = Answer<LibraryPart>
