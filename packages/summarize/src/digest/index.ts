export { composeDigest } from './compose-digest.ts'
export { findThemes, type Theme } from './find-themes.ts'
export { groupByTerms } from './group-by-terms.ts'
export { type GroupedPoints, type GroupRequest, groupPoints } from './group-points.ts'
export {
  type CitedPoint,
  listStoredPoints,
  selectCommonLanguage,
  type VideoWithSummaries,
} from './list-stored-points.ts'
export type { ComposedDigest, DigestGroups, SummarizedPoint, SummarizedVideo } from './types.ts'
