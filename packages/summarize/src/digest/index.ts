export { composeDigest } from './compose-digest.ts'
export { groupByTerms } from './group-by-terms.ts'
export { type GroupedPoints, type GroupRequest, groupPoints } from './group-points.ts'
export type { ComposedDigest, DigestGroups, SummarizedPoint, SummarizedVideo } from './types.ts'
