import { isSampleVideoId } from '@subtext/sample-platform/id'
import { createLargeThumbnailFinder, type FindLargeThumbnails } from '../find-large-thumbnails.ts'
import { fetchSample } from './fetch-sample.ts'

interface FinderOptions {
  /** Origin that replaces the platform. */
  origin?: string
  /** Whether the sample platform is asked about sample videos. */
  hasSamples: boolean
  /** How long the image host may take, in milliseconds. */
  timeoutMs?: number
}

/** Creates the function that asks the image host or, about sample videos, the sample platform within this process. */
export function createThumbnailFinder({ origin, hasSamples, timeoutMs }: FinderOptions): FindLargeThumbnails {
  const ofVideo = createLargeThumbnailFinder({ origin, timeoutMs })
  const ofSample = createLargeThumbnailFinder({ fetch: fetchSample, timeoutMs })
  return (videoId) => (hasSamples && isSampleVideoId(videoId) ? ofSample(videoId) : ofVideo(videoId))
}
