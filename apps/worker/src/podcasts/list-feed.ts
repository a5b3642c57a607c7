import { ServiceError } from '@subtext/contracts'
import {
  type CompletedListing,
  type Download,
  DownloadError,
  type StoredListedVideo,
  sourceUrlOf,
} from '@subtext/core/sources'
import { type ListedEpisode, listPodcast, type PodcastListing, SourceGoneError } from '@subtext/sources'

/** Maximum size of a page of a feed, unpacked. */
const MAX_FEED_BYTES = 20_000_000
const UNKNOWN = 'und'

/** Lists a podcast by the ID of its source. Rejects with `SourceGoneError`, `UPSTREAM_UNAVAILABLE`, or the signal's reason. */
export type ListFeed = (platformId: string, signal: AbortSignal) => Promise<CompletedListing>

/** Statuses that say that a server is busy, as all from 500 on do. */
const BUSY = new Set([408, 425, 429])
const isGone = (problem: DownloadError['problem']): boolean => problem === 404 || problem === 410

function toFault({ problem }: DownloadError): SourceGoneError | null {
  if (problem === 'too_large') return new SourceGoneError('too_large')
  if (problem === 401 || problem === 403) return new SourceGoneError('private')
  const isUnknown = problem === 'refused' || (typeof problem === 'number' && problem < 500 && !BUSY.has(problem))
  return isUnknown ? new SourceGoneError('not_found') : null
}

/** Returns the canonical form of a language that a feed names. */
function canonicalLanguage(tag: string | null): string | null {
  try {
    return tag === null ? null : (Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'))[0] ?? null)
  } catch {
    return null
  }
}

function toStored(
  { videoId, title, description, durationSeconds, publishedAt, url, transcripts }: ListedEpisode,
  { title: show, language: spoken }: PodcastListing,
): StoredListedVideo {
  const language = canonicalLanguage(spoken)
  return {
    videoId,
    title: title === '' ? (show ?? '') : title,
    type: 'episode',
    durationSeconds,
    publishedAt,
    isApproximate: false,
    reason: transcripts.length > 0 ? null : 'no_captions',
    episode: {
      url,
      show: show ?? '',
      description,
      language,
      transcripts: transcripts.map((transcript) => ({
        url: transcript.url,
        language: canonicalLanguage(transcript.language) ?? language ?? UNKNOWN,
        name: transcript.type,
      })),
    },
  }
}

/** Creates the function that lists podcasts. `origin`: that of the installation, which serves the sample feed. */
export function createFeedLister(download: Download, origin: string): ListFeed {
  return async (platformId, signal) => {
    const feed = sourceUrlOf({ kind: 'podcast', id: platformId }, origin)
    const listing = await listPodcast(feed, async (url, isFirst) => {
      try {
        return await download(url, { maxBytes: MAX_FEED_BYTES, signal })
      } catch (error) {
        if (!(error instanceof DownloadError)) throw error
        // The pages of some feeds lead to one that does not exist. What came before is all there is.
        if (!isFirst && isGone(error.problem)) return null
        throw toFault(error) ?? new ServiceError('UPSTREAM_UNAVAILABLE', { cause: error })
      }
    })
    return {
      title: listing.title,
      videos: listing.episodes.map((episode) => toStored(episode, listing)),
      truncated: listing.truncated,
      withTranscript: listing.episodes.filter(({ transcripts }) => transcripts.length > 0).length,
    }
  }
}
