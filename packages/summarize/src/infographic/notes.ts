import { type Cue, listPoints, type Summary, type SummaryPoint } from '@subtext/contracts'
import { createAmountFinder, type Note } from '@subtext/evidence'
import type { Pace } from '../pacer.ts'

export const MAX_POINTS = 50
export const MAX_NUMBER_LINES = 40
export const MAX_NOTE_LENGTH = 400

type WrittenSummary = Pick<Summary, 'mode' | 'content' | 'model'>

/** Returns the claims of summaries that passed their check, without repetitions. */
export function listCheckedPoints(summaries: readonly WrittenSummary[]): SummaryPoint[] {
  const points = new Map<string, SummaryPoint>()
  for (const point of summaries.flatMap(({ content }) => listPoints(content))) {
    if (point.segmentIds.length > 0 && !points.has(point.text)) points.set(point.text, point)
  }
  return [...points.values()]
}

/** Returns up to `count` entries, spread evenly. */
const spread = <T>(list: readonly T[], count: number): T[] =>
  list.length <= count
    ? [...list]
    : list.filter(
        (_, index) => Math.floor((index * count) / list.length) !== Math.floor(((index - 1) * count) / list.length),
      )

/**
 * Returns cues that name numbers, from all parts of the video, each with the next one, because captions break within sentences.
 * Calls `pace` between small steps of the work. `language`: that of the transcript.
 */
export async function listNumberLines(cues: readonly Cue[], language: string, pace: Pace): Promise<Note[]> {
  const findAmounts = createAmountFinder(language)
  const saying: number[] = []
  for (const [index, { text }] of cues.entries()) {
    await pace()
    if (findAmounts(text).some(({ isWeak }) => !isWeak)) saying.push(index)
  }
  return spread(saying, MAX_NUMBER_LINES).map((index) => ({
    text: `${cues[index]?.text ?? ''} ${cues[index + 1]?.text ?? ''}`.trim(),
    segmentIds: [index + 1],
  }))
}

/**
 * Returns what the model reads: checked claims, and lines of the transcript that name numbers, in the order of the video.
 * `share`: the share of all notes, for models with a small context window.
 */
export function takeInfographicNotes(claims: readonly Note[], numberLines: readonly Note[], share = 1): Note[] {
  return [
    ...spread(claims, Math.ceil(MAX_POINTS * share)),
    ...spread(numberLines, Math.floor(MAX_NUMBER_LINES * share)),
  ]
    .map(({ text, segmentIds }) => ({ text: text.slice(0, MAX_NOTE_LENGTH).toWellFormed(), segmentIds }))
    .sort((a, b) => (a.segmentIds[0] ?? 0) - (b.segmentIds[0] ?? 0))
}
