import { SourceGoneError, type VideoType } from './listing.ts'
import type { ListEntry, TypedEntry } from './pages/read-entry.ts'
import type { ListPage } from './pages/read-page.ts'
import { parseRelativeTime } from './relative-time.ts'
import { findPlaylist, followList, refuseFault, type Visit, type WalkedList } from './walk-list.ts'

/** The tabs of a channel, by what they show. */
const TABS: Record<VideoType, string> = {
  video: 'EgZ2aWRlb3PyBgQKAjoA',
  short: 'EgZzaG9ydHPyBgUKA5oBAA%3D%3D',
  live: 'EgdzdHJlYW1z8gYECgJ6AA%3D%3D',
}
/** How the IDs of a channel's lists of uploads begin, in place of `UC`. */
const LISTS: Record<VideoType, string> = { video: 'UULF', short: 'UUSH', live: 'UULV' }
const ALL_UPLOADS = 'UU'
const TYPES = ['video', 'short', 'live'] as const

/** Longer videos are no shorts. */
const MAX_SHORT_SECONDS = 180

const tailOf = (channelId: string): string => channelId.slice('UC'.length)

interface ChannelEntries {
  title: string | null
  entries: TypedEntry[]
  isCut: boolean
}

/**
 * Lists the videos of a channel in the order of its list of all uploads, which does not say which of them are shorts or streams;
 * the lists of those do. Where there is no list of all uploads, the lists by type are merged by time, and where there are none,
 * the tabs of the channel: they differ from channel to channel, and one with an age gate has none.
 */
export async function listChannelEntries(visit: Visit, channelId: string, now: Date): Promise<ChannelEntries> {
  const uploads = await findPlaylist(visit, ALL_UPLOADS + tailOf(channelId))
  if (uploads && uploads.entries.length > 0) {
    const shorts = await listType(visit, channelId, 'short')
    const streams = await listType(visit, channelId, 'live')
    const title = uploads.first.owner ?? findChannelName(uploads.entries)
    const listed = [...findPending(streams, uploads.entries), ...uploads.entries]
    return { title, entries: typeEntries(listed, shorts, streams), isCut: uploads.isCut }
  }
  return mergeLists(visit, channelId, now)
}

/** Returns streams that run or have not begun, which the list of all uploads may leave out. They are the newest. */
const findPending = (streams: WalkedList | null, uploads: readonly ListEntry[]): ListEntry[] => {
  const known = new Set(uploads.map(({ id }) => id))
  const isPending = ({ id, kind }: ListEntry): boolean => (kind === 'live' || kind === 'upcoming') && !known.has(id)
  return streams?.entries.filter(isPending) ?? []
}

const findChannelName = (entries: readonly ListEntry[]): string | null =>
  entries.find(({ channel }) => channel !== null)?.channel ?? null

/** Lists the uploads of one type; null if there are none. */
async function listType(visit: Visit, channelId: string, type: VideoType): Promise<WalkedList | null> {
  const list = await findPlaylist(visit, LISTS[type] + tailOf(channelId))
  // A list that is shown as a grid ends after its first hundred entries, however many there are.
  const isShort = list !== null && !list.isCut && list.entries.length < (list.first.total ?? 0)
  if (!isShort || !list.entries.every(({ kind }) => kind === 'short')) return list
  const tab = visit.mayAsk() ? await followTab(visit, channelId, type) : null
  return tab && tab.entries.length > list.entries.length ? tab : { ...list, isCut: true }
}

/** Gives each upload its type. */
function typeEntries(
  uploads: readonly ListEntry[],
  shorts: WalkedList | null,
  streams: WalkedList | null,
): TypedEntry[] {
  const shortIds = new Set(shorts?.entries.map(({ id }) => id))
  const streamIds = new Set(streams?.entries.map(({ id }) => id))
  // What is older than the last short of a list that was cut off may be one.
  const lastKnown = shorts?.isCut ? uploads.findLastIndex(({ id }) => shortIds.has(id)) : uploads.length
  return uploads.map((entry, index) => {
    if (streamIds.has(entry.id) || entry.wasLive || entry.kind === 'live') return { ...entry, type: 'live' }
    const mayBeShort = index > lastKnown && entry.seconds !== null && entry.seconds <= MAX_SHORT_SECONDS
    const isShort = shortIds.has(entry.id) || entry.kind === 'short' || mayBeShort
    return { ...entry, type: isShort ? 'short' : 'video' }
  })
}

/** Lists a channel by the lists of its types or, without any, by its tabs. */
async function mergeLists(visit: Visit, channelId: string, now: Date): Promise<ChannelEntries> {
  const page = await visit.browse({ browseId: channelId, params: TABS.video })
  refuseFault(page)
  const lists = new Map<VideoType, WalkedList>()
  for (const type of TYPES) {
    const list = await listType(visit, channelId, type)
    if (list) lists.set(type, list)
  }
  if (lists.size === 0 && !page.isAgeGated) await readTabs(visit, { channelId, page, lists })
  if (lists.size === 0 && page.title === null) throw new SourceGoneError('not_found')
  const entries = [...lists].flatMap(([type, list]) => list.entries.map((entry) => ({ ...entry, type })))
  const owner = [...lists.values()].map(({ first }) => first.owner).find((name) => name !== null)
  return {
    title: page.title ?? owner ?? null,
    entries: sortByTime(entries, now),
    isCut: [...lists.values()].some(({ isCut }) => isCut),
  }
}

interface Tabs {
  channelId: string
  /** The tab of videos. */
  page: ListPage
  lists: Map<VideoType, WalkedList>
}

async function readTabs(visit: Visit, { channelId, page, lists }: Tabs): Promise<void> {
  for (const type of TYPES) {
    const list = type === 'video' ? await followList(visit, page) : await followTab(visit, channelId, type)
    if (list && list.entries.length > 0) lists.set(type, list)
  }
}

/** Reads a tab to its end. A channel without the tab shows another one in its place, so only entries of its kind count. */
async function followTab(visit: Visit, channelId: string, type: VideoType): Promise<WalkedList | null> {
  if (!visit.mayAsk()) return null
  const page = await visit.browse({ browseId: channelId, params: TABS[type] })
  const fits = ({ kind, wasLive }: ListEntry): boolean =>
    type === 'short' ? kind === 'short' : wasLive || kind === 'live' || kind === 'upcoming'
  return page.entries.some(fits) ? followList(visit, page) : null
}

/** Merges lists, each of which is in order, by the times that they show. What shows none keeps its place after the one before. */
function sortByTime(entries: readonly TypedEntry[], now: Date): TypedEntry[] {
  let last = Number.POSITIVE_INFINITY
  let type: VideoType | null = null
  const timed = entries.map((entry) => {
    if (entry.type !== type) last = now.getTime()
    type = entry.type
    last = parseRelativeTime(entry.published, now)?.getTime() ?? last
    return { entry, time: last }
  })
  return timed.sort((one, other) => other.time - one.time).map(({ entry }) => entry)
}
