import { type Citation, listPoints, type SummaryContent } from '@subtext/contracts'
import { buildWatchUrl } from './video-times.ts'

export interface CitationTarget {
  place: string
  /** Returns the start of a segment in milliseconds, by its position from 1; undefined if there is no such segment. */
  startOf(segmentId: number): number | undefined
}

/** Returns the positions of all segments that the summaries cite, in ascending order. */
export const selectCitedSegments = (contents: SummaryContent[]): number[] => {
  const ids = contents.flatMap(listPoints).flatMap((point) => point.segmentIds)
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Returns the citations of a summary in the order of the video. Citations of segments that do not exist are omitted. */
export const buildCitations = (content: SummaryContent, target: CitationTarget): Citation[] =>
  selectCitedSegments([content]).flatMap((id) => {
    const startMs = target.startOf(id)
    if (startMs === undefined) return []
    return [{ segment_id: id, start: startMs / 1000, url: buildWatchUrl(target.place, startMs) }]
  })
