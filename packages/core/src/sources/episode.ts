/** A transcript as a feed names it. */
export interface EpisodeTranscript {
  url: string
  /** BCP-47; `und` if the feed does not say it. */
  language: string
  name: string
}

/** What is stored of an episode of a podcast besides its place in the list. */
export interface StoredEpisode {
  /** Where it can be heard. */
  url: string
  /** The first is the best. */
  transcripts: EpisodeTranscript[]
  show: string
  description: string
  /** The language that the feed says. */
  language: string | null
}
