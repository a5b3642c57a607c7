import type { Citation, SummaryContent, SummaryPoint } from '@subtext/contracts'
import { buildWatchUrl } from './video-times.ts'

export interface CitationTarget {
  videoId: string
  /** Start in milliseconds of a segment, by its 1-based position; undefined when the transcript has no such segment. */
  startOf(segmentId: number): number | undefined
}

export const listPoints = (content: SummaryContent): SummaryPoint[] => [
  ...content.overview,
  ...content.sections.flatMap((section) => section.points),
]

/** Positions of all segments that any of the summaries cites, ascending. */
export const selectCitedSegments = (contents: SummaryContent[]): number[] => {
  const ids = contents.flatMap(listPoints).flatMap((point) => point.segmentIds)
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Citations of a summary in the order of the video; what points to no segment is left out. */
export const buildCitations = (content: SummaryContent, target: CitationTarget): Citation[] =>
  selectCitedSegments([content]).flatMap((id) => {
    const startMs = target.startOf(id)
    if (startMs === undefined) return []
    return [{ segment_id: id, start: startMs / 1000, url: buildWatchUrl(target.videoId, startMs) }]
  })
