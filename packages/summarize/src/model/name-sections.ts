import type { Cue, SummaryContent, SummarySection } from '@subtext/contracts'
import { describeSpan } from '../describe-span.ts'

function nameByTime(section: SummarySection, cues: Cue[]): SummarySection {
  if (section.heading !== '') return section
  const cited = section.points.flatMap(({ segmentIds }) => segmentIds.flatMap((id) => cues[id - 1] ?? []))
  if (cited.length === 0) return section
  const startMs = Math.min(...cited.map((cue) => cue.startMs))
  const endMs = Math.max(...cited.map((cue) => cue.startMs + cue.durationMs))
  return { ...section, heading: describeSpan(startMs, endMs) }
}

/**
 * Gives sections whose heading cannot be shown a heading with their time. Without any heading a section would be read as
 * part of the one before it.
 */
export const nameSections = (content: SummaryContent, cues: Cue[]): SummaryContent => ({
  ...content,
  sections: content.sections.map((section) => nameByTime(section, cues)),
})
