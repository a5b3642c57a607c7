import type { SourceVideoReason } from '@subtext/contracts'
import { listChannelEntries } from './list-channel.ts'
import { cleanTitle, type ListedVideo, type Listing } from './listing.ts'
import type { ListEntry, TypedEntry } from './pages/read-entry.ts'
import { parseRelativeTime } from './relative-time.ts'
import { type BrowseList, keepVideos, openVisit, walkPlaylist } from './walk-list.ts'

/** A source whose ID is known. */
export interface SourceAddress {
  kind: 'playlist' | 'channel'
  id: string
}

/** Words on videos for members of a channel. The platform says that they can be played. */
const FOR_MEMBERS = /\bmembers?\b/i

function findReason({ kind, badges, gone }: ListEntry): SourceVideoReason | null {
  if (gone !== null) return gone
  if (kind === 'live') return 'live'
  if (kind === 'upcoming') return 'not_started'
  return badges.some((badge) => FOR_MEMBERS.test(badge)) ? 'members_only' : null
}

const toVideo = (entry: TypedEntry, now: Date): ListedVideo => ({
  videoId: entry.id,
  title: cleanTitle(entry.title ?? ''),
  durationSeconds: entry.seconds,
  publishedAt: parseRelativeTime(entry.published, now)?.toISOString() ?? null,
  type: entry.type,
  reason: findReason(entry),
})

const isVideo = ({ kind, id }: ListEntry): boolean =>
  kind !== 'playlist' && kind !== 'album' && kind !== 'channel' && /^[A-Za-z0-9_-]{11}$/.test(id)

/**
 * Lists a playlist or a channel, whole or not at all. Throws `SourceGoneError` if the platform says that there is nothing to list,
 * `SourceMovedError` if a channel has moved, and what `browse` throws.
 */
export async function listSource({ kind, id }: SourceAddress, browse: BrowseList, now: Date): Promise<Listing> {
  const visit = openVisit(browse)
  if (kind === 'channel') {
    const { title, entries, isCut } = await listChannelEntries(visit, id, now)
    const { kept, truncated } = keepVideos(entries.filter(isVideo), isCut)
    return { title: title && cleanTitle(title), truncated, videos: kept.map((entry) => toVideo(entry, now)) }
  }
  const { first, entries, isCut } = await walkPlaylist(visit, id)
  const { kept, truncated } = keepVideos(entries.filter(isVideo), isCut)
  const videos = kept.map((entry) => toVideo({ ...entry, type: 'video' }, now))
  return { title: first.title && cleanTitle(first.title), truncated, videos }
}
