const HOSTS = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'])
const NO_COOKIE_HOSTS = new Set(['youtube-nocookie.com', 'www.youtube-nocookie.com'])
/** Nothing but a name and a port, as it was typed: neither credentials nor what a browser would turn into the name. */
const PLAIN_HOST = /^(?:(?:https?:)?\/\/)?[a-z0-9.-]+(?::\d+)?(?:[/?#]|$)/i
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
/** Players of a playlist and of a channel's stream, which look like ids. */
const NOT_IDS = new Set(['videoseries', 'live_stream'])
const PATH_FORMS = new Set(['shorts', 'embed', 'live', 'v'])

/** The address under which the platform shows a video. */
export const canonicalVideoUrl = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`

/**
 * The video id in any address the platform uses for a video, with or without scheme and with extra parameters; null for
 * everything else, look-alike hosts, other ports and credentials included.
 */
export function parseVideoUrl(input: string): string | null {
  const text = input.trim()
  // Without a scheme only a host may follow at once; anything with another scheme stays as it is and is refused below.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (!PLAIN_HOST.test(text) || url.port || /[\s\\]/.test(text)) return null
  const id = candidateId(url)
  return id !== null && VIDEO_ID.test(id) && !NOT_IDS.has(id) ? id : null
}

function candidateId(url: URL): string | null {
  const [form, id, ...rest] = url.pathname.split('/').slice(1)
  const closed = rest.every((part) => part === '')
  if (url.hostname === 'youtu.be') return (id === undefined || id === '') && closed ? (form ?? null) : null
  if (NO_COOKIE_HOSTS.has(url.hostname)) return form === 'embed' && closed ? (id ?? null) : null
  if (!HOSTS.has(url.hostname)) return null
  if (form === 'watch' && (id === undefined || id === '') && closed) return url.searchParams.get('v')
  return form !== undefined && PATH_FORMS.has(form) && closed ? (id ?? null) : null
}
