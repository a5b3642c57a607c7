import { MAX_URL_LENGTH } from '@subtext/contracts'

export const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'])
export const NO_COOKIE_HOSTS = new Set(['youtube-nocookie.com', 'www.youtube-nocookie.com'])
/** Only a name and a port, as typed: no credentials, and no characters that a browser would normalize away. */
export const PLAIN_HOST = /^(?:(?:https?:)?\/\/)?[a-z0-9.-]+(?::\d+)?(?:[/?#]|$)/i
export const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
/** Paths that embed a playlist or the stream of a channel, and look like IDs. */
const NOT_IDS = new Set(['videoseries', 'live_stream'])
export const PATH_FORMS = new Set(['shorts', 'embed', 'live', 'v'])

/** Returns the address of a video's page. */
export const canonicalVideoUrl = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`

/**
 * Returns the video ID from any address that the platform uses for a video, with or without a scheme, and with any
 * parameters. Null for anything else, including look-alike hosts, other ports and credentials.
 */
export function parseVideoUrl(input: string): string | null {
  const text = input.trim()
  if (isTooLong(text) || !isPlain(text)) return null
  const url = parseUrl(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (!PLAIN_HOST.test(text) || url.port || /[\s\\]/.test(text)) return null
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
  if (url.hostname === 'youtu.be') return (id === undefined || id === '') && closed ? (form ?? null) : null
  if (NO_COOKIE_HOSTS.has(url.hostname)) return form === 'embed' && closed ? (id ?? null) : null
  if (!HOSTS.has(url.hostname)) return null
  if (form === 'watch' && (id === undefined || id === '') && closed) return url.searchParams.get('v')
  return form !== undefined && PATH_FORMS.has(form) && closed ? (id ?? null) : null
}
