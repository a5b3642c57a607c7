import type { Cue } from '@subtext/contracts'
import { createTextFolder } from '../folding/fold-text.ts'
import { foldTranscript } from '../folding/fold-transcript.ts'
import { findMatches } from '../matching/find-matches.ts'
import { buildTerms, findDistinct } from '../matching/patterns.ts'
import { byFit, countPassages, scorePassages } from './score-passages.ts'
import type { Passage } from './split-passages.ts'

/** Weight of the previous question, because a question often leaves out its subject. */
const EARLIER_WEIGHT = 0.3

export interface PassageQuery {
  question: string
  /** The question before it, if there is one. */
  earlier?: string
  /** Of the transcript, BCP-47. */
  language: string
}

/**
 * Ranks the passages of a transcript by how well they fit a question, the best first. Passages that do not fit at all come
 * last, in the order of the transcript. Calls `pace` between small steps of the work.
 */
export async function rankPassages(
  cues: readonly Cue[],
  { question, earlier = '', language }: PassageQuery,
  pace: () => Promise<void>,
  words?: number,
): Promise<Passage[]> {
  const folder = createTextFolder(language)
  const transcript = await foldTranscript(cues, language, pace, folder)
  const asked = buildTerms(question, folder)
  const terms = [...asked, ...buildTerms(earlier, folder)]
  const distinct = findDistinct(terms)
  const patterns = distinct.map((place) => terms[place] ?? [])
  const weights = distinct.map((place) => (place < asked.length ? 1 : EARLIER_WEIGHT))
  const matches = await findMatches(transcript, patterns, pace)
  const passages = await countPassages(transcript, matches, pace, words)
  const [scored = []] = await scorePassages([passages], weights, pace)
  return byFit(scored).map(({ first, last, text }) => ({ first, last, text }))
}
