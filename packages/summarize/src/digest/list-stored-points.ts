import { listPoints, SUMMARY_MODES, type Summary, type SummaryMode, type VideoInfo } from '@subtext/contracts'
import { placeOf } from '@subtext/render'
import type { SummarizedPoint } from './types.ts'

/** A point with the moments that support it. */
export interface CitedPoint extends SummarizedPoint {
  citations: { jobId: string; segmentId: number; startMs: number; place: string }[]
}

/** A video with the summaries that are stored of it. */
export interface VideoWithSummaries {
  jobId: string
  info: VideoInfo
  /** Of the transcript, BCP-47. */
  language: string
  summaries: readonly Summary[]
  /** Maps the number of each segment that a summary cites to its start in milliseconds. */
  citedStarts: Readonly<Record<number, number>>
}

/** The short ones first: they say what matters most. */
const ORDER: readonly SummaryMode[] = ['tldr', 'key_insights', 'detailed', 'study_notes', 'timestamped']

const rank = (mode: SummaryMode): number => {
  const place = ORDER.indexOf(mode)
  return place < 0 ? SUMMARY_MODES.length : place
}

/** Returns the points of the summaries of a video, each once. */
export function listStoredPoints({
  jobId,
  info,
  summaries,
  citedStarts,
}: Omit<VideoWithSummaries, 'language'>): CitedPoint[] {
  const place = placeOf(info)
  const known = new Set<string>()
  const inOrder = [...summaries].sort((a, b) => rank(a.mode) - rank(b.mode))
  return inOrder.flatMap(({ content }) =>
    listPoints(content).flatMap(({ text, segmentIds }) => {
      const citations = segmentIds.flatMap((segmentId) => {
        const startMs = citedStarts[segmentId]
        return startMs === undefined ? [] : [{ jobId, segmentId, startMs, place }]
      })
      if (citations.length === 0 || known.has(text)) return []
      known.add(text)
      return [{ jobId, text, segmentIds, citations }]
    }),
  )
}

const DEFAULT_LANGUAGE = 'en'

/** Returns the language of most of these transcripts. */
export function selectCommonLanguage(videos: readonly Pick<VideoWithSummaries, 'language'>[]): string {
  const counts = new Map<string, number>()
  for (const { language } of videos) counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? DEFAULT_LANGUAGE
}
