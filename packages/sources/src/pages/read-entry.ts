import { at, listAt, stringAt, textAt } from '../json.ts'
import type { VideoType } from '../listing.ts'

/** `live`: runs now; `upcoming`: a premiere or a stream that has not begun. */
export type EntryKind = 'video' | 'short' | 'live' | 'upcoming' | 'playlist' | 'album' | 'channel'

/** An entry of a list, as the platform shows it. */
export interface ListEntry {
  id: string
  kind: EntryKind
  title: string | null
  /** Null where the page does not say. */
  seconds: number | null
  /** Words on the picture or below the title, such as `Members only`. */
  badges: string[]
  /** When it was published, relative to the time of the page: `3 days ago`. */
  published: string | null
  /** Whether it is the recording of a stream. */
  wasLive: boolean
  /** The name of the channel, if the entry says it. */
  channel: string | null
  /** The platform shows neither title nor picture of such a video. */
  gone: 'private' | 'deleted' | null
}

/** An entry whose type is known. */
export interface TypedEntry extends ListEntry {
  type: VideoType
}

type Read = (renderer: unknown) => ListEntry | null

/** Seconds of `3:03` or `1:06:10`. */
export function parseClock(text: string | null): number | null {
  if (text === null || !/^\d+(?::\d{1,2}){1,3}$/.test(text.trim())) return null
  return text
    .trim()
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

const AGO = /\bago\b/
const STREAMED = /^Streamed\b/
const WHERE_NOW = /^(?:LIVE|LIVE NOW)$/i
const NOT_YET = /^(?:UPCOMING|PREMIERE|PREMIERES|SCHEDULED)$/i

interface Facts extends Pick<ListEntry, 'id' | 'title' | 'seconds' | 'badges' | 'published' | 'channel'> {
  kind?: EntryKind
  gone?: ListEntry['gone']
}

const build = ({ kind = 'video', gone = null, ...facts }: Facts): ListEntry => ({
  ...facts,
  kind,
  gone,
  wasLive: kind === 'video' && facts.published !== null && STREAMED.test(facts.published),
})

/** The title of a video that has none depends on the language in which the page was asked for, which is English. */
const findGone = (title: string | null): ListEntry['gone'] => {
  if (title === null) return null
  if (/^\[Private video\]$/i.test(title)) return 'private'
  return /^\[(?:Deleted|Unavailable) video\]$/i.test(title) ? 'deleted' : null
}

const readBadges = (renderer: unknown): string[] =>
  listAt(renderer, 'badges').flatMap((badge) => stringAt(badge, 'metadataBadgeRenderer', 'label') ?? [])

/** Reads the renderers that the platform has used for videos since 2020. They differ in which fields they have. */
const readVideo: Read = (renderer) => {
  const id = stringAt(renderer, 'videoId')
  if (id === null) return null
  const overlays = listAt(renderer, 'thumbnailOverlays')
  const status = overlays.map((overlay) => at(overlay, 'thumbnailOverlayTimeStatusRenderer')).find(Boolean)
  const style = stringAt(status, 'style')
  const badges = readBadges(renderer)
  const info = listAt(renderer, 'videoInfo', 'runs').flatMap((run) => stringAt(run, 'text') ?? [])
  const isLive =
    style === 'LIVE' ||
    listAt(renderer, 'badges').some(
      (badge) => stringAt(badge, 'metadataBadgeRenderer', 'style') === 'BADGE_STYLE_TYPE_LIVE_NOW',
    )
  const isUpcoming = style === 'UPCOMING' || at(renderer, 'upcomingEventData') !== undefined
  const length = Number(stringAt(renderer, 'lengthSeconds') ?? Number.NaN)
  const title = textAt(renderer, 'title')
  const kind = isLive ? 'live' : isUpcoming ? 'upcoming' : style === 'SHORTS' ? 'short' : 'video'
  return build({
    id,
    kind,
    title,
    seconds:
      Number.isFinite(length) && length > 0
        ? length
        : (parseClock(textAt(renderer, 'lengthText')) ?? parseClock(textAt(status, 'text'))),
    badges,
    published: textAt(renderer, 'publishedTimeText') ?? info.find((text) => AGO.test(text)) ?? null,
    channel: textAt(renderer, 'shortBylineText') ?? textAt(renderer, 'longBylineText'),
    gone: at(renderer, 'isPlayable') === true ? null : findGone(title),
  })
}

const readReel: Read = (renderer) => {
  const id = stringAt(renderer, 'videoId')
  if (id === null) return null
  const title = textAt(renderer, 'headline')
  return build({ id, kind: 'short', title, seconds: null, badges: [], published: null, channel: null })
}

const readShort: Read = (renderer) => {
  const id =
    stringAt(renderer, 'onTap', 'innertubeCommand', 'reelWatchEndpoint', 'videoId') ??
    stringAt(renderer, 'entityId')?.slice(-11) ??
    null
  if (id === null) return null
  const title = textAt(renderer, 'overlayMetadata', 'primaryText')
  return build({ id, kind: 'short', title, seconds: null, badges: [], published: null, channel: null })
}

const LOCKUP_KINDS: Record<string, EntryKind> = {
  LOCKUP_CONTENT_TYPE_VIDEO: 'video',
  LOCKUP_CONTENT_TYPE_SHORTS: 'short',
  LOCKUP_CONTENT_TYPE_SHORT: 'short',
  LOCKUP_CONTENT_TYPE_PLAYLIST: 'playlist',
  LOCKUP_CONTENT_TYPE_PODCAST: 'playlist',
  LOCKUP_CONTENT_TYPE_ALBUM: 'album',
  LOCKUP_CONTENT_TYPE_CHANNEL: 'channel',
}

/** Texts on the picture: the duration, or what takes its place. */
const readOverlayTexts = (lockup: unknown): string[] =>
  listAt(lockup, 'contentImage', 'thumbnailViewModel', 'overlays')
    .flatMap((overlay) => [
      ...listAt(overlay, 'thumbnailBottomOverlayViewModel', 'badges'),
      ...listAt(overlay, 'thumbnailOverlayBadgeViewModel', 'thumbnailBadges'),
    ])
    .flatMap((badge) => textAt(badge, 'thumbnailBadgeViewModel', 'text') ?? [])

const readLockup: Read = (lockup) => {
  const id = stringAt(lockup, 'contentId')
  const listed = LOCKUP_KINDS[stringAt(lockup, 'contentType') ?? '']
  if (id === null || listed === undefined) return null
  const metadata = at(lockup, 'metadata', 'lockupMetadataViewModel')
  const rows = listAt(metadata, 'metadata', 'contentMetadataViewModel', 'metadataRows')
  const parts = rows
    .flatMap((row) => listAt(row, 'metadataParts'))
    .flatMap((part) => textAt(part, 'text') ?? [])
    .map((text) => text.trim())
  const onPicture = readOverlayTexts(lockup)
  const badges = rows
    .flatMap((row) => listAt(row, 'badges'))
    .flatMap((badge) => textAt(badge, 'badgeViewModel', 'badgeText') ?? [])
  const isLive = onPicture.some((text) => WHERE_NOW.test(text))
  const isUpcoming =
    onPicture.some((text) => NOT_YET.test(text)) || parts.some((text) => /^(?:Premieres|Scheduled for) /.test(text))
  const kind = listed !== 'video' ? listed : isLive ? 'live' : isUpcoming ? 'upcoming' : 'video'
  return build({
    id,
    kind,
    title: textAt(metadata, 'title'),
    seconds: onPicture.map(parseClock).find((seconds) => seconds !== null) ?? null,
    badges,
    published: parts.find((text) => AGO.test(text)) ?? null,
    channel: null,
  })
}

const readPlaylist: Read = (renderer) => {
  const id = stringAt(renderer, 'playlistId')
  if (id === null) return null
  return build({
    id,
    kind: 'playlist',
    title: textAt(renderer, 'title'),
    seconds: null,
    badges: [],
    published: null,
    channel: null,
  })
}

const readChannel: Read = (renderer) => {
  const id = stringAt(renderer, 'channelId')
  if (id === null) return null
  return build({
    id,
    kind: 'channel',
    title: textAt(renderer, 'title'),
    seconds: null,
    badges: [],
    published: null,
    channel: null,
  })
}

/** How entries are read, by the names of their renderers. */
const READERS: Record<string, Read> = {
  playlistVideoRenderer: readVideo,
  videoRenderer: readVideo,
  gridVideoRenderer: readVideo,
  playlistPanelVideoRenderer: readVideo,
  reelItemRenderer: readReel,
  shortsLockupViewModel: readShort,
  lockupViewModel: readLockup,
  gridPlaylistRenderer: readPlaylist,
  playlistRenderer: readPlaylist,
  gridChannelRenderer: readChannel,
  channelRenderer: readChannel,
}

/** Reads an item of a list. Null if it is no entry, or has no ID. */
export function readEntry(item: unknown): ListEntry | null {
  if (typeof item !== 'object' || item === null) return null
  for (const [name, renderer] of Object.entries(item)) {
    const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined
    const entry = read?.(renderer)
    if (entry) return entry
  }
  return null
}
