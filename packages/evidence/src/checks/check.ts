import type { SaidLines } from '../evidence.ts'
import type { SplitSentences } from '../language/split-sentences.ts'

/**
 * Why a claim is not supported: the lines do not say it, it has a name that the video does not have, the lines do not say its
 * numbers, they do not contain the words that it quotes, or they say the opposite or the same of someone else.
 */
export const REASONS = ['unsupported', 'unknown_name', 'unsaid_number', 'misquoted', 'contradicted'] as const
export type Reason = (typeof REASONS)[number]

/** One way in which a text has to agree with the lines that it rests on. Each is a file of this folder. */
export interface Check {
  /** Why a text that does not pass is not supported. */
  reason: Reason
  isPassed(text: string, lines: SaidLines): boolean
}

/** Returns why the lines do not support a text, according to the first check that it does not pass; null if it passes all. */
export const findReason = (text: string, lines: SaidLines, checks: readonly Check[]): Reason | null =>
  checks.find((check) => !check.isPassed(text, lines))?.reason ?? null

/** Creates a check that every sentence of a text has to pass by itself. */
export const checkSentences = ({ reason, isPassed }: Check, splitSentences: SplitSentences): Check => ({
  reason,
  isPassed: (text, lines) => splitSentences(text).every((sentence) => isPassed(sentence, lines)),
})
