/** A checked statement of a summary of a video, as it is stored. */
export interface SummarizedPoint {
  jobId: string
  text: string
  /** Segments of the transcript that support it, from 1. */
  segmentIds: number[]
}

/** A video whose points are grouped. */
export interface SummarizedVideo {
  jobId: string
  title: string
  channel: string
}

/** Which points belong together, by their places in the list of points. */
export interface DigestGroups {
  themes: { title: string; points: number[] }[]
  disagreements: { question: string; positions: number[][] }[]
}

/** A digest: points of many videos, grouped. Its texts are those of the points. */
export interface ComposedDigest<P extends SummarizedPoint = SummarizedPoint> {
  themes: { title: string; points: P[] }[]
  disagreements: { question: string; positions: P[] }[]
  /** Number of points that it has. */
  pointsUsed: number
}
