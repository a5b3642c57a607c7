import type { SampleChannel, SampleListEntry, SamplePlaylist } from './sample-list.ts'

/** The lists that the platform has. */
export interface ListContents {
  findPlaylist(id: string): SamplePlaylist | undefined
  /** By its ID or one of its names. */
  findChannel(idOrName: string): SampleChannel | undefined
}

const PAGE_ENTRIES = 100
const LIST_KINDS: Record<string, (entry: SampleListEntry) => boolean> = {
  UULF: ({ kind = 'video' }) => kind === 'video',
  UUSH: ({ kind }) => kind === 'short',
  UULV: ({ kind }) => kind === 'stream' || kind === 'live' || kind === 'upcoming',
}
const TABS: Record<string, string> = { EgZ2aWRlb3: 'UULF', EgZzaG9ydH: 'UUSH', EgdzdHJlYW: 'UULV' }
const UNITS: [name: string, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Returns how long ago a time was, as the platform says it. */
function ago(published: string, now: number): string {
  const seconds = Math.max(1, Math.floor((now - Date.parse(published)) / 1_000))
  const [name, size] = UNITS.find(([, unit]) => seconds >= unit) ?? ['second', 1]
  const count = Math.floor(seconds / size)
  return `${count} ${name}${count === 1 ? '' : 's'} ago`
}

const clock = (seconds: number): string =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
    .replace(/^(?:00:)?0?/, '')

const alertPage = (text: string): object => ({
  responseContext: {},
  alerts: [{ alertRenderer: { type: 'ERROR', text: { runs: [{ text }] } } }],
})

const continuation = (token: string): object => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
})

/** A short as its tab shows it: without a duration and a date. */
const buildShort = ({ id, title }: SampleListEntry): object => ({
  shortsLockupViewModel: { entityId: `shorts-shelf-item-${id}`, overlayMetadata: { primaryText: { content: title } } },
})

function buildEntry(
  entry: SampleListEntry,
  { owner, index, now }: { owner: string; index: number; now: number },
): object {
  const { id, title, seconds, published, kind, forMembers, gone } = entry
  const style = kind === 'live' ? 'LIVE' : kind === 'upcoming' ? 'UPCOMING' : 'DEFAULT'
  const time = `${kind === 'stream' ? 'Streamed ' : ''}${ago(published, now)}`
  const isDated = gone === undefined && kind !== 'live' && kind !== 'upcoming'
  return {
    playlistVideoRenderer: {
      videoId: id,
      title: { runs: [{ text: gone === undefined ? title : `[${gone === 'private' ? 'Private' : 'Deleted'} video]` }] },
      index: { simpleText: String(index + 1) },
      ...(gone === undefined && { shortBylineText: { runs: [{ text: owner }] } }),
      ...(isDated &&
        seconds !== null && { lengthSeconds: String(seconds), lengthText: { simpleText: clock(seconds) } }),
      isPlayable: gone === undefined,
      ...(forMembers && { badges: [{ metadataBadgeRenderer: { label: 'Members only' } }] }),
      thumbnailOverlays: [{ thumbnailOverlayTimeStatusRenderer: { style } }],
      ...(isDated && { videoInfo: { runs: [{ text: '1.2K views' }, { text: ' • ' }, { text: time }] } }),
    },
  }
}

const encodeToken = (listId: string, offset: number): string =>
  Buffer.from(JSON.stringify([listId, offset])).toString('base64url')

/** Reads a token of ours, or null. */
function decodeToken(token: string): { listId: string; offset: number } | null {
  try {
    const [listId, offset]: unknown[] = JSON.parse(Buffer.from(token, 'base64url').toString())
    return typeof listId === 'string' && typeof offset === 'number' ? { listId, offset } : null
  } catch {
    return null
  }
}

/** Finds a playlist, or a channel's list of uploads. */
function findList(contents: ListContents, id: string): SamplePlaylist | undefined {
  const [, kind, tail] = /^(UULF|UUSH|UULV|UU)(.{22})$/.exec(id) ?? []
  if (kind === undefined) return contents.findPlaylist(id)
  const channel = contents.findChannel(`UC${tail}`)
  if (!channel || channel.alert !== undefined || channel.movedTo !== undefined || channel.hasLists === false)
    return undefined
  const entries = channel.entries.filter(LIST_KINDS[kind] ?? (() => true))
  const title = kind === 'UU' ? `Uploads from ${channel.name}` : 'Videos'
  return entries.length === 0 ? undefined : { id, title, owner: channel.name, entries }
}

function listItems({ id, owner, entries }: SamplePlaylist, offset: number): object[] {
  const now = Date.now()
  const shown = entries.slice(offset, offset + PAGE_ENTRIES)
  const items = shown.map((entry, index) => buildEntry(entry, { owner, index: offset + index, now }))
  const rest = offset + PAGE_ENTRIES < entries.length ? [continuation(encodeToken(id, offset + PAGE_ENTRIES))] : []
  return [...items, ...rest]
}

const tabOf = (content: object): object => ({
  twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { selected: true, content } }] },
})

function buildPlaylistPage(list: SamplePlaylist): object {
  const section = {
    itemSectionRenderer: { contents: [{ playlistVideoListRenderer: { contents: listItems(list, 0) } }] },
  }
  // What stands beside the list belongs to recommendations, as on the platform.
  const contents = [section, continuation(encodeToken('recommendations', 0))]
  return {
    responseContext: {},
    contents: tabOf({ sectionListRenderer: { contents } }),
    metadata: { playlistMetadataRenderer: { title: list.title } },
    sidebar: {
      playlistSidebarRenderer: {
        items: [
          {
            playlistSidebarPrimaryInfoRenderer: {
              stats: [{ runs: [{ text: list.entries.length.toLocaleString('en-US') }, { text: ' videos' }] }],
            },
          },
          {
            playlistSidebarSecondaryInfoRenderer: {
              videoOwner: { videoOwnerRenderer: { title: { runs: [{ text: list.owner }] } } },
            },
          },
        ],
      },
    },
  }
}

function buildChannelPage(channel: SampleChannel, params: string): object {
  if (channel.alert !== undefined) return alertPage(channel.alert)
  if (channel.movedTo !== undefined) {
    const endpoint = { browseEndpoint: { browseId: channel.movedTo } }
    return { responseContext: {}, onResponseReceivedActions: [{ navigateAction: { endpoint } }] }
  }
  if (channel.isAgeGated) {
    const gate = { channelAgeGateRenderer: { channelTitle: channel.name } }
    return { responseContext: {}, contents: tabOf({ sectionListRenderer: { contents: [gate] } }) }
  }
  const kind = TABS[params.slice(0, 10)] ?? 'UULF'
  const entries = channel.hasLists === false ? channel.entries.filter(LIST_KINDS[kind] ?? (() => false)) : []
  const items =
    kind === 'UUSH'
      ? entries.map(buildShort)
      : listItems({ id: `tab:${channel.id}`, title: '', owner: channel.name, entries }, 0)
  return {
    responseContext: {},
    contents: tabOf({ richGridRenderer: { contents: items.map((content) => ({ richItemRenderer: { content } })) } }),
    metadata: { channelMetadataRenderer: { title: channel.name, externalId: channel.id } },
  }
}

interface BrowseFields {
  browseId: string | null
  continuation: string | null
  params: string | null
}

/** Answers a request for a page, or for a part of a list. Null for one that is malformed. */
export function browse(contents: ListContents, { browseId, continuation: token, params }: BrowseFields): object | null {
  const position = token === null ? null : decodeToken(token)
  if (position) {
    const list = findList(contents, position.listId)
    const continuationItems = list ? listItems(list, position.offset) : []
    return {
      responseContext: {},
      onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }],
    }
  }
  if (browseId?.startsWith('VL')) {
    const list = findList(contents, browseId.slice(2))
    if (!list) return alertPage('The playlist does not exist.')
    return list.alert === undefined ? buildPlaylistPage(list) : alertPage(list.alert)
  }
  if (!browseId?.startsWith('UC')) return null
  const channel = contents.findChannel(browseId)
  return channel ? buildChannelPage(channel, params ?? '') : alertPage('This channel does not exist.')
}

/** Answers where an address leads. Null if it is not the name of a channel. */
export function resolveUrl(contents: ListContents, url: string | null): object | null {
  const name = URL.canParse(url ?? '') ? decodeURIComponent(new URL(url ?? '').pathname.slice(1)) : ''
  const channel = contents.findChannel(name)
  return channel ? { responseContext: {}, endpoint: { browseEndpoint: { browseId: channel.id } } } : null
}
