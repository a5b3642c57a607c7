import type { SummaryContent, SummaryMode, SummaryPoint } from '@subtext/contracts'
import type { z } from 'zod'
import { ModelAnswer } from '../prompts/answer-schema.ts'
import { buildPlainText } from './model-text.ts'

type WirePoint = z.infer<typeof ModelAnswer>['overview'][number]

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkPoints(points: WirePoint[], cueCount: number): SummaryPoint[] {
  return points
    .map(({ text, segment_ids }) => ({
      text: buildPlainText(text),
      segmentIds: [...new Set(segment_ids)].filter((id) => id >= 1 && id <= cueCount).sort((a, b) => a - b),
    }))
    .filter(({ text }) => text !== '')
}

function isFilled(mode: SummaryMode, { overview, sections }: SummaryContent): boolean {
  switch (mode) {
    case 'tldr':
      return overview.length > 0
    case 'timestamped':
      return sections.some(({ points }) => points.some(({ segmentIds }) => segmentIds.length > 0))
    case 'detailed':
    case 'study_notes':
    case 'key_insights':
      return sections.length > 0
  }
}

/**
 * A model's answer as content, with plain texts and only such ids as exist; `null` when it is not of the schema or
 * lacks the part the mode consists of. `cueCount` is the number of cues of the transcript.
 */
export function parseAnswer(text: string, mode: SummaryMode, cueCount: number): SummaryContent | null {
  const answer = ModelAnswer.safeParse(parseJson(text))
  if (!answer.success) return null
  const sections = answer.data.sections
    .map(({ heading, points }) => ({ heading: buildPlainText(heading), points: checkPoints(points, cueCount) }))
    .filter(({ points }) => points.length > 0)
  if (sections.some(({ heading }) => heading === '')) return null
  const content = { overview: checkPoints(answer.data.overview, cueCount), sections: mode === 'tldr' ? [] : sections }
  return isFilled(mode, content) ? content : null
}
