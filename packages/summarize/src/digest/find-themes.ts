import { buildWatchUrl } from '@subtext/render'
import { composeDigest } from './compose-digest.ts'
import { groupByTerms } from './group-by-terms.ts'
import {
  type CitedPoint,
  listStoredPoints,
  selectCommonLanguage,
  type VideoWithSummaries,
} from './list-stored-points.ts'

/** What several videos speak of, each point with a link to the moment. */
export interface Theme {
  title: string
  points: { jobId: string; text: string; url: string }[]
}

/** Groups the points of stored summaries by the terms that at least two videos share, without a model. */
export function findThemes(videos: readonly VideoWithSummaries[]): Theme[] {
  const points = videos.flatMap(listStoredPoints)
  const { themes } = composeDigest(points, groupByTerms(points, selectCommonLanguage(videos)))
  return themes
    .filter((theme) => new Set(theme.points.map(({ jobId }) => jobId)).size > 1)
    .map(({ title, points: own }) => ({ title, points: own.map(describePoint) }))
}

const describePoint = ({ jobId, text, citations: [first] }: CitedPoint): Theme['points'][number] => ({
  jobId,
  text,
  url: first ? buildWatchUrl(first.place, first.startMs) : '',
})
