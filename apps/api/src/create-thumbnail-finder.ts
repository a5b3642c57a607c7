import { isSampleVideoId } from '@subtext/sample-platform/id'
import { createLargeThumbnailFinder, type FindLargeThumbnails } from '@subtext/youtube/thumbnails'
import type { ApiEnv } from './env.ts'

/**
 * Creates the function that finds thumbnails: at the image host or, for sample videos, in the sample platform within this
 * process.
 */
export function createThumbnailFinder({
  YOUTUBE_ORIGIN: origin,
  SAMPLE_VIDEOS,
}: Pick<ApiEnv, 'YOUTUBE_ORIGIN' | 'SAMPLE_VIDEOS'>): FindLargeThumbnails {
  const ofVideo = createLargeThumbnailFinder({ origin })
  const ofSample = createLargeThumbnailFinder({
    fetch: async (...request) => (await import('@subtext/sample-platform')).fetchSample(...request),
  })
  return (videoId) => (SAMPLE_VIDEOS && isSampleVideoId(videoId) ? ofSample(videoId) : ofVideo(videoId))
}
