import { createHash } from 'node:crypto'
import { MAX_SOURCE_VIDEOS } from '@subtext/contracts'
import { SourceGoneError } from '../listing.ts'
import { selectDecoder } from './decode-feed.ts'
import { type FeedEpisode, type PodcastFeed, readPodcastFeed } from './read-podcast-feed.ts'
import type { NamedTranscript } from './transcripts.ts'

/** A page of a feed as it was downloaded. */
export interface FeedPage {
  url: string
  body: Uint8Array
  charset: string | null
}

/** Downloads a page. `null`: a later page does not exist. */
export type DownloadPage = (url: string, isFirst: boolean) => Promise<FeedPage | null>

export interface ListedEpisode {
  videoId: string
  title: string
  description: string
  durationSeconds: number | null
  /** ISO 8601. */
  publishedAt: string | null
  /** Where it can be heard, or else its page. */
  url: string
  /** The best first; none if the feed names none. */
  transcripts: NamedTranscript[]
}

export interface PodcastListing {
  title: string | null
  language: string | null
  /** The newest first. */
  episodes: ListedEpisode[]
  truncated: boolean
}

const MAX_PAGES = 50
const MAX_PAGES_BYTES = 60_000_000
const ID_LENGTH = 16

const buildId = (...parts: string[]): string =>
  `pod-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, ID_LENGTH)}`

const addressOf = ({ enclosure, link, transcripts }: FeedEpisode, feed: string): string =>
  enclosure ?? link ?? transcripts[0]?.url ?? feed

/**
 * Gives each episode its ID: from the feed and its guid, else from its enclosure. If a feed uses a guid for several enclosures,
 * the oldest episode keeps the ID of the guid, and those that came later have one of their own.
 */
function identify(feed: string, episodes: readonly FeedEpisode[]): Map<string, FeedEpisode> {
  const identified = new Map<string, FeedEpisode>()
  const owners = new Map<string, string>()
  for (const episode of episodes.toReversed()) {
    const { guid } = episode
    const address = addressOf(episode, feed)
    const owner = guid === null ? undefined : (owners.get(guid) ?? address)
    if (guid !== null && owner !== undefined) owners.set(guid, owner)
    const id =
      guid === null
        ? buildId(feed, '', address)
        : owner === address
          ? buildId(feed, guid)
          : buildId(feed, guid, address)
    // An episode that stands twice counts once, as the feed shows it first.
    identified.set(id, episode)
  }
  return identified
}

/** Puts the newest first. An episode without a date keeps its place behind the one before it. */
function order(episodes: readonly FeedEpisode[]): FeedEpisode[] {
  let time = Number.POSITIVE_INFINITY
  const dated = episodes.map((episode) => {
    time = episode.publishedAt === null ? time : Date.parse(episode.publishedAt)
    return { episode, time }
  })
  return dated
    .toSorted((one, other) => (one.time === other.time ? 0 : other.time - one.time))
    .map((each) => each.episode)
}

async function readPages(feed: string, download: DownloadPage) {
  const seen = new Set<string>()
  const episodes: FeedEpisode[] = []
  let first: PodcastFeed | null = null
  let url: string | null = feed
  let bytes = 0
  let isCut = false
  while (url !== null && !seen.has(url)) {
    if (seen.size >= MAX_PAGES || bytes > MAX_PAGES_BYTES || episodes.length > MAX_SOURCE_VIDEOS) {
      isCut = true
      break
    }
    seen.add(url)
    const page: FeedPage | null = await download(url, first === null)
    if (!page) {
      isCut = true
      break
    }
    bytes += page.body.length
    const decoder = selectDecoder(page.body, page.charset)
    const read: PodcastFeed = await readPodcastFeed({ body: page.body, decoder, base: page.url })
    first ??= read
    episodes.push(...read.episodes)
    url = read.next
  }
  if (first === null) throw new SourceGoneError('not_found')
  return { first, episodes, isCut }
}

/** Lists the episodes of a podcast, all pages of its feed. Rejects with `SourceGoneError` and with what `download` throws. */
export async function listPodcast(feed: string, download: DownloadPage): Promise<PodcastListing> {
  const { first, episodes, isCut } = await readPages(feed, download)
  const ordered = order(episodes)
  const ids = new Map([...identify(feed, ordered)].map(([id, episode]) => [episode, id]))
  const listed = ordered.flatMap((episode): ListedEpisode[] => {
    const videoId = ids.get(episode)
    if (videoId === undefined) return []
    const { title, description, durationSeconds, publishedAt, transcripts } = episode
    return [{ videoId, title, description, durationSeconds, publishedAt, transcripts, url: addressOf(episode, feed) }]
  })
  return {
    title: first.title,
    language: first.language,
    episodes: listed.slice(0, MAX_SOURCE_VIDEOS),
    truncated: isCut || listed.length > MAX_SOURCE_VIDEOS,
  }
}
