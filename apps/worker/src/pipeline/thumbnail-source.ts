import { isSampleVideoId } from '@subtext/sample-platform/id'
import { createThumbnailFetcher, type FetchThumbnail, observeRequests } from '@subtext/youtube'
import type { WorkerEnv } from '../env.ts'

/**
 * Creates the function that finds thumbnails: at the image host or, for sample videos, in the sample platform within this
 * process.
 */
export function createThumbnailSource({
  YOUTUBE_ORIGIN: origin,
  SAMPLE_VIDEOS,
}: Pick<WorkerEnv, 'YOUTUBE_ORIGIN' | 'SAMPLE_VIDEOS'>): FetchThumbnail {
  const ofVideo = createThumbnailFetcher({ origin })
  const ofSample = createThumbnailFetcher({
    fetch: async (...request) => (await import('@subtext/sample-platform')).fetchSample(...request),
  })
  return (videoId, signal) =>
    SAMPLE_VIDEOS && isSampleVideoId(videoId)
      ? observeRequests(
          () => {},
          () => ofSample(videoId, signal),
        )
      : ofVideo(videoId, signal)
}
