import { ServiceError } from '@subtext/contracts'
import { isSampleVideoId } from '@subtext/sample-platform/id'
import { EgressesRestingError } from '../platform-errors.ts'
import type { SourcedVideo, VideoSource } from '../video-source.ts'
import { createYoutubeSource, type YoutubeSourceOptions } from '../youtube-source.ts'
import { fetchSample } from './fetch-sample.ts'
import { unobserved } from './unobserved.ts'

/**
 * Returns a source that serves sample videos within the process and asks `source` for all others. A sample video causes no
 * request to the platform, uses no egress, and is not counted in the metrics of the platform.
 */
export function withSampleVideos(
  source: VideoSource,
  options: Pick<YoutubeSourceOptions, 'clients' | 'readCaptions'>,
): VideoSource {
  // Each fetch gets its own source, so that a sample of a refusal does not affect other samples.
  const openSamples = (): VideoSource => createYoutubeSource({ ...options, fetch: fetchSample, proxyUrls: [] })
  return {
    async fetchVideo(videoId, { signal, useProxy }) {
      if (!isSampleVideoId(videoId)) return source.fetchVideo(videoId, { signal, useProxy })
      const samples = openSamples()
      const video = await unobserved(() => withoutRest(samples.fetchVideo(videoId, { signal, useProxy: false })))
      return {
        ...video,
        fetchTranscript: (track) => unobserved(() => withoutRest(video.fetchTranscript(track))),
        fetchPublishedAt: () => unobserved(async () => (await video.fetchPublishedAt?.()) ?? null),
      } satisfies SourcedVideo
    },
    async fetchComments(videoId, { signal, useProxy }) {
      if (!isSampleVideoId(videoId)) return source.fetchComments(videoId, { signal, useProxy })
      const samples = openSamples()
      return unobserved(() => samples.fetchComments(videoId, { signal, useProxy: false }))
    },
  }
}

/** The sample platform has no egress that could rest, so a refused job is retried by the usual schedule. */
async function withoutRest<T>(fetching: Promise<T>): Promise<T> {
  try {
    return await fetching
  } catch (error) {
    if (error instanceof EgressesRestingError) throw new ServiceError(error.code, { cause: error })
    throw error
  }
}
