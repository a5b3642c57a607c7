import { isSampleVideoId } from '@subtext/sample-platform/id'
import { createThumbnailFetcher, type FetchThumbnail } from '../fetch-thumbnail.ts'
import { fetchSample } from './fetch-sample.ts'
import { unobserved } from './unobserved.ts'

interface SourceOptions {
  /** Origin that replaces the platform. */
  origin?: string
  /** Whether the sample platform serves the thumbnails of sample videos. */
  hasSamples: boolean
}

/** Creates the function that fetches thumbnails from the image host or, for sample videos, from the sample platform. */
export function createThumbnailSource({ origin, hasSamples }: SourceOptions): FetchThumbnail {
  const ofVideo = createThumbnailFetcher({ origin })
  const ofSample = createThumbnailFetcher({ fetch: fetchSample })
  return (videoId, signal) =>
    hasSamples && isSampleVideoId(videoId) ? unobserved(() => ofSample(videoId, signal)) : ofVideo(videoId, signal)
}
