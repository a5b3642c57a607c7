import { MAX_URL_LENGTH } from '@subtext/contracts'

export const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'])
export const NO_COOKIE_HOSTS = new Set(['youtube-nocookie.com', 'www.youtube-nocookie.com'])
/** Only a name and a port, as typed: no credentials, and no characters that a browser would normalize away. */
export const PLAIN_HOST = /^(?:(?:https?:)?\/\/)?[a-z0-9.-]+(?::\d+)?(?:[/?#]|$)/i
export const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
/** Paths that embed a playlist or the stream of a channel, and look like IDs. */
const NOT_IDS = new Set(['videoseries', 'live_stream'])
export const PATH_FORMS = new Set(['shorts', 'embed', 'live', 'v', 'e'])
/** Pages that name the video in the parameter `v`. */
export const WATCH_PAGES = new Set(['watch', 'watch_popup'])

/** Returns the address of what a job is about. */
export const videoUrlOf = ({ videoId, videoUrl }: { videoId: string; videoUrl: string | null }): string =>
  videoUrl ?? canonicalVideoUrl(videoId)

/** Returns the address of a video's page. */
export const canonicalVideoUrl = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`

/**
 * Returns the video ID from any address that the platform uses for a video, with or without a scheme, and with any
 * parameters, or from the ID alone. Null for anything else, including look-alike hosts, other ports and credentials.
 */
export function parseVideoUrl(input: string): string | null {
  const text = input.trim()
  if (VIDEO_ID.test(text)) return NOT_IDS.has(text) ? null : text
  const url = parsePlainUrl(text)
  return url && findId(attributedUrl(url) ?? url)
}

function parsePlainUrl(typed: string): URL | null {
  // Copied from the source of a page, an address has its ampersands escaped.
  const text = typed.replaceAll('&amp;', '&')
  if (isTooLong(text) || !isPlain(text)) return null
  const url = parseUrl(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return !PLAIN_HOST.test(text) || url.port || /[\s\\]/.test(text) ? null : url
}

/** Returns the address that a link of the platform's old share button leads to; null for any other link. */
function attributedUrl({ hostname, pathname, searchParams }: URL): URL | null {
  if (!HOSTS.has(hostname) || !/^\/attribution_link\/?$/.test(pathname)) return null
  const target = searchParams.get('u') ?? ''
  return parsePlainUrl(/^\/(?!\/)/.test(target) ? `https://${hostname}${target}` : target)
}

function findId(url: URL): string | null {
  const id = candidateId(url)
  return id !== null && VIDEO_ID.test(id) && !NOT_IDS.has(id) ? id : null
}

export const isTooLong = (text: string): boolean => [...text].length > MAX_URL_LENGTH

/** Returns whether text has no character that cannot be part of a URL or be stored: control characters and lone surrogates. */
export const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

/** Parses a URL. Text without a scheme must start with the host; any other scheme is left as it is. */
export const parseUrl = (text: string): URL | null =>
  URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)

function candidateId(url: URL): string | null {
  const [form, id, ...rest] = url.pathname.split('/').slice(1)
  const closed = rest.every((part) => part === '')
  const isPage = (id === undefined || id === '') && closed
  if (url.hostname === 'youtu.be') {
    if (!isPage) return null
    return form === 'watch' ? url.searchParams.get('v') : (form ?? null)
  }
  if (NO_COOKIE_HOSTS.has(url.hostname)) return form === 'embed' && closed ? (id ?? null) : null
  if (!HOSTS.has(url.hostname)) return null
  if (isPage && form !== undefined && WATCH_PAGES.has(form)) return url.searchParams.get('v')
  return form !== undefined && PATH_FORMS.has(form) && closed ? (id ?? null) : null
}
