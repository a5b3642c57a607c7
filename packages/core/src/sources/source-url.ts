import { MAX_URL_LENGTH, type ServiceError, type ValidationIssue, validationError } from '@subtext/contracts'
import { HOSTS, isPlain, isTooLong, PLAIN_HOST, parseUrl, parseVideoUrl } from '../videos/video-url.ts'

/**
 * What an account asks for: a playlist, a channel, a name that leads to a channel (`@handle`, `c/Name`, `user/Name`), or a podcast,
 * whose ID is the address of its feed.
 */
export interface SourceRef {
  kind: 'playlist' | 'channel' | 'name' | 'podcast'
  id: string
}

const PLAYLIST_ID = /^[A-Za-z0-9_-]{2,64}$/
const BARE_PLAYLIST_ID = /^PL[A-Za-z0-9_-]{10,62}$/
const CHANNEL_ID = /^UC[A-Za-z0-9_-]{22}$/
const HANDLE = /^@[\p{L}\p{M}\p{N}._·-]{1,60}$/u
const NAME = /^[\p{L}\p{M}\p{N}._·'-]{1,100}$/u
/** The tabs of a channel, which are ignored: what is listed is chosen when the videos are read. */
const TABS = new Set([
  ...['', 'videos', 'shorts', 'streams', 'featured', 'playlists', 'live', 'releases', 'podcasts', 'courses', 'posts'],
  ...['community', 'about', 'store', 'channels', 'search'],
])

const ACCEPTED =
  'Accepted forms: `https://www.youtube.com/playlist?list=PL...`, `https://www.youtube.com/@handle`, `/channel/UC...`, `/c/NAME`, `/user/NAME`, and the IDs `PL...` and `UC...` or the `@handle` alone, or the http(s) URL of the feed of a podcast.'
const MIX = 'Is a mix, which the platform makes up anew for every viewer and which never ends.'
const OWN = 'Is a private list of the viewer, which nobody else can see.'
const VIDEO = 'Is a link to a video, not to a playlist or a channel. Send it to `POST /videos/process`.'

/** Lists that belong to the viewer: to watch later, liked videos and music, and the history. */
const OWN_LISTS = new Set(['WL', 'LL', 'LM', 'HL'])

type Parsed = SourceRef | { problem: string }

/** Returns the source that an address, an ID or a handle names. Error: `VALIDATION_ERROR`, which says what it is instead. */
export function parseSourceUrl(input: string, path = 'url'): SourceRef {
  const parsed = parse(input.trim())
  if ('problem' in parsed) throw refuse(path, parsed.problem)
  return parsed
}

/** Returns whether an address names a source, so that an error about a video can say what to do with it. */
export function isSourceUrl(input: string): boolean {
  const parsed = parse(input.trim())
  // Any address may be that of a feed.
  return 'kind' in parsed && parsed.kind !== 'podcast'
}

function refuse(path: string, problem: string): ServiceError {
  const issue: ValidationIssue = { path, message: `${problem} ${ACCEPTED}`, code: 'invalid_source_url' }
  return validationError([issue])
}

function parse(text: string): Parsed {
  if (text === '') return { problem: 'Is empty.' }
  if (isTooLong(text) || !isPlain(text) || /[\s\\]/.test(text)) return { problem: 'Is not a URL.' }
  if (HANDLE.test(text)) return { kind: 'name', id: text }
  if (CHANNEL_ID.test(text)) return { kind: 'channel', id: text }
  if (OWN_LISTS.has(text) || /^RD[A-Za-z0-9_-]{9,}$/.test(text) || BARE_PLAYLIST_ID.test(text)) return parseList(text)
  if (parseVideoUrl(text) !== null && !/[?&](?:amp;)?list=/.test(text)) return { problem: VIDEO }
  const url = parseUrl(text.replaceAll('&amp;', '&'))
  if (!url || !/^https?:$/.test(url.protocol)) return { problem: 'Is not a URL.' }
  if (!HOSTS.has(url.hostname) && url.hostname !== 'youtu.be') return parseFeedUrl(text)
  if (!PLAIN_HOST.test(text) || url.port !== '') return { problem: 'Is not a plain URL of the video platform.' }
  return parsePath(url)
}

/** Reads the address of a feed, which has to name its protocol. Whether it may be fetched is checked by `findWebhookUrlProblem`. */
function parseFeedUrl(text: string): Parsed {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url) return { problem: text.includes('.') ? 'Is a link to another site.' : 'Is not a URL.' }
  url.hash = ''
  return url.href.length > MAX_URL_LENGTH ? { problem: 'Is too long.' } : { kind: 'podcast', id: url.href }
}

/** The path of the feed of the sample podcast, which every installation with samples serves. */
export const SAMPLE_FEED = '/samples/podcast.xml'
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether an address is that of the sample feed of the installation at `origin`, or of whatever listens on this machine. */
export function isSampleFeed(text: string, origin: string): boolean {
  const url = URL.parse(text.trim(), origin)
  if (!url || url.pathname !== SAMPLE_FEED || url.username !== '' || url.password !== '') return false
  return url.origin === new URL(origin).origin || LOOPBACK.test(url.hostname)
}

function parsePath({ hostname, pathname, searchParams }: URL): Parsed {
  const [first = '', second = '', third = '', ...rest] = decodePath(pathname).split('/').slice(1)
  const list = searchParams.get('list')
  const isPage = second === '' && third === ''
  if (hostname === 'youtu.be') return list === null ? { problem: VIDEO } : parseList(list)
  if (['playlist', 'watch', 'watch_popup'].includes(first) && isPage) {
    return list === null ? { problem: 'Is a link without the ID of a playlist.' } : parseList(list)
  }
  if (list !== null && ['embed', 'shorts', 'live', 'v'].includes(first)) return parseList(list)
  const isTab = (tab: string, more: string[]): boolean => TABS.has(tab) && more.every((part) => part === '')
  if (first.startsWith('@') && HANDLE.test(first) && isTab(second, [third, ...rest])) return { kind: 'name', id: first }
  if (first === 'channel' && CHANNEL_ID.test(second) && isTab(third, rest)) return { kind: 'channel', id: second }
  if ((first === 'c' || first === 'user') && NAME.test(second) && isTab(third, rest)) {
    return { kind: 'name', id: `${first}/${second}` }
  }
  return { problem: 'Is a page of the platform that is neither a playlist nor a channel.' }
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).normalize('NFC')
  } catch {
    return pathname
  }
}

function parseList(id: string): Parsed {
  if (OWN_LISTS.has(id)) return { problem: OWN }
  if (id.startsWith('RD')) return { problem: MIX }
  return PLAYLIST_ID.test(id) ? { kind: 'playlist', id } : { problem: 'Is a link with an invalid ID of a playlist.' }
}

/** Returns the address of a source: on the platform, or of a feed. `origin`: that of the installation, which serves the sample feed. */
export function sourceUrlOf({ kind, id }: SourceRef, origin: string): string {
  if (kind === 'podcast') return id === SAMPLE_FEED ? `${origin}${id}` : id
  if (kind === 'playlist') return `https://www.youtube.com/playlist?list=${id}`
  return `https://www.youtube.com/${kind === 'channel' ? `channel/${id}` : encodeURI(id)}`
}
