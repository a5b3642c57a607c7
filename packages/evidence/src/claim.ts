/** A statement as a model wrote it. */
export interface Claim {
  text: string
  /** The segments (from 1) that it cites. */
  segmentIds: number[]
  /** What the segments are said to contain, in their order; null for one from which nothing is quoted. */
  quotes?: (string | null)[]
}

/** A segment that a claim cites, and words that it is said to contain. */
export interface CitedSegment {
  id: number
  quote: string | null
}

export const listCitations = ({ segmentIds, quotes = [] }: Claim): CitedSegment[] =>
  segmentIds.map((id, index) => ({ id, quote: quotes[index] ?? null }))
