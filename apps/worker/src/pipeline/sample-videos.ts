import { ServiceError } from '@subtext/contracts'
import { isSampleVideoId } from '@subtext/sample-platform/id'
import {
  createYoutubeSource,
  EgressesRestingError,
  observeRequests,
  type SourcedVideo,
  type VideoSource,
  type YoutubeSourceOptions,
} from '@subtext/youtube'

/** Loaded with the first sample video: most installations never need it. */
const loadPlatform = () => import('@subtext/sample-platform')

/**
 * Returns a source that serves sample videos from within the process and asks `source` for all others. A sample video causes
 * no request to the platform, uses no egress, and appears in no metric of them.
 */
export function withSampleVideos(
  source: VideoSource,
  options: Pick<YoutubeSourceOptions, 'clients' | 'readCaptions'>,
): VideoSource {
  // Each fetch has a source of its own, so that a sample of a refusal has no effect on other samples.
  const openSamples = async (): Promise<VideoSource> => {
    const { fetchSample } = await loadPlatform()
    return createYoutubeSource({ ...options, fetch: fetchSample, proxyUrls: [] })
  }
  return {
    async fetchVideo(videoId, { signal, useProxy }) {
      if (!isSampleVideoId(videoId)) return source.fetchVideo(videoId, { signal, useProxy })
      const samples = await openSamples()
      const video = await unobserved(() => withoutRest(samples.fetchVideo(videoId, { signal, useProxy: false })))
      return {
        ...video,
        fetchTranscript: (track) => unobserved(() => withoutRest(video.fetchTranscript(track))),
        fetchPublishedAt: () => unobserved(async () => (await video.fetchPublishedAt?.()) ?? null),
      } satisfies SourcedVideo
    },
    async fetchComments(videoId, { signal, useProxy }) {
      if (!isSampleVideoId(videoId)) return source.fetchComments(videoId, { signal, useProxy })
      const samples = await openSamples()
      return unobserved(() => samples.fetchComments(videoId, { signal, useProxy: false }))
    },
  }
}

/** What a sample is asked for is no request to the platform. */
const unobserved = <T>(work: () => Promise<T>): Promise<T> => observeRequests(() => {}, work)

/** Nothing rests here, so a job that is refused has nothing to wait for: it is tried again by the usual schedule. */
async function withoutRest<T>(fetching: Promise<T>): Promise<T> {
  try {
    return await fetching
  } catch (error) {
    if (error instanceof EgressesRestingError) throw new ServiceError(error.code, { cause: error })
    throw error
  }
}
