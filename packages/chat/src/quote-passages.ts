import { rankPassages } from '@subtext/search'
import type { Pace } from '@subtext/summarize'
import type { AnswerPart, ChatQuestion, ChatSource } from './types.ts'

const PASSAGES = 3

/** Returns the passages that fit a question best, the best first: the answer without a language model. */
export async function quotePassages(
  { cues, track }: ChatSource,
  question: ChatQuestion,
  pace: Pace,
): Promise<AnswerPart[]> {
  const query = { question: question.text, earlier: question.earlier.at(-1)?.question, language: track.language }
  const ranked = await rankPassages(cues, query, pace)
  return ranked.slice(0, PASSAGES).map(({ first, last, text }) => ({
    text,
    segmentIds: Array.from({ length: last - first + 1 }, (_, index) => first + index),
  }))
}
