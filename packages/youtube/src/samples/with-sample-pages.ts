import { isSampleList } from '@subtext/sample-platform/id'
import type { PlatformPages } from '../platform-pages.ts'
import { createYoutubeSource, type YoutubeSourceOptions } from '../youtube-source.ts'
import { fetchSample } from './fetch-sample.ts'
import { unobserved } from './unobserved.ts'

/** Returns pages that answer about the sample playlist and the sample channel within the process, and ask `pages` for all others. */
export function withSamplePages(
  pages: PlatformPages,
  { clients }: Pick<YoutubeSourceOptions, 'clients'>,
): PlatformPages {
  const samples = createYoutubeSource({ clients, fetch: fetchSample, proxyUrls: [] }).pages
  return {
    browse: (about, fields, signal) =>
      isSampleList(about)
        ? unobserved(() => samples.browse(about, fields, signal))
        : pages.browse(about, fields, signal),
    fetchFeed: (channelId, signal) =>
      isSampleList(channelId)
        ? unobserved(() => samples.fetchFeed(channelId, signal))
        : pages.fetchFeed(channelId, signal),
    resolve(url, signal) {
      const [name = ''] = new URL(url).pathname.split('/').slice(-1)
      return isSampleList(name) ? unobserved(() => samples.resolve(url, signal)) : pages.resolve(url, signal)
    },
  }
}
