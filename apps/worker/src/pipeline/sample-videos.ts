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

/** Loaded with the first sample video, because most installations never need it. */
const loadPlatform = () => import('@subtext/sample-platform')

/**
 * Returns a source that serves sample videos within the process and asks `source` for all others. A sample video causes no
 * request to the platform, uses no egress, and is not counted in the metrics of the platform.
 */
export function withSampleVideos(
  source: VideoSource,
  options: Pick<YoutubeSourceOptions, 'clients' | 'readCaptions'>,
): VideoSource {
  // Each fetch gets its own source, so that a sample of a refusal does not affect other samples.
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

/** Requests for samples do not count as requests to the platform. */
const unobserved = <T>(work: () => Promise<T>): Promise<T> => observeRequests(() => {}, work)

/** The sample platform has no egress that could rest, so a refused job is retried by the usual schedule. */
async function withoutRest<T>(fetching: Promise<T>): Promise<T> {
  try {
    return await fetching
  } catch (error) {
    if (error instanceof EgressesRestingError) throw new ServiceError(error.code, { cause: error })
    throw error
  }
}
