import { MAX_URL_LENGTH, type ServiceError, type ValidationIssue, validationError } from '@subtext/contracts'
import { isSourceUrl } from '../sources/source-url.ts'
import {
  canonicalVideoUrl,
  HOSTS,
  isPlain,
  isTooLong,
  NO_COOKIE_HOSTS,
  PATH_FORMS,
  PLAIN_HOST,
  parseUrl,
  VIDEO_ID,
  WATCH_PAGES,
} from './video-url.ts'

const SHORT_HOST = 'youtu.be'
const LISTED = 'List its videos with `POST /sources`.'
const ACCEPTED = `Accepted forms: \`${canonicalVideoUrl('VIDEO_ID')}\`, \`https://youtu.be/VIDEO_ID\`, \`/shorts/\`, \`/live/\`, \`/embed/\` or \`/v/\` instead of \`/watch?v=\`, and the ID alone.`

/** Descriptions of the platform's pages other than videos, by the first part of their path. */
const PAGES: Record<string, string> = {
  '': 'the home page of the platform',
  playlist: 'a playlist',
  channel: 'a channel',
  c: 'a channel',
  user: 'a channel',
  results: 'a search',
  hashtag: 'a search',
  clip: 'a clip',
  post: 'a post',
  feed: 'a feed',
  redirect: 'a redirect',
}
/** Addresses for embedding that look like videos. */
const EMBEDDED_PAGES: Record<string, string> = {
  videoseries: 'a playlist',
  live_stream: 'the live stream of a channel',
}

/** Returns the issue of a URL that `parseVideoUrl` does not accept: what it leads to, and what is accepted. */
export const videoUrlIssue = (path: string, input: string): ValidationIssue => ({
  path,
  message: `${findProblem(input.trim())} ${ACCEPTED}`,
  code: 'invalid_video_url',
})

/** Returns the error of a URL that `parseVideoUrl` does not accept. */
export const refuseVideoUrl = (path: string, input: string): ServiceError =>
  validationError([videoUrlIssue(path, input)], 'INVALID_VIDEO_URL')

function findProblem(text: string): string {
  if (text === '') return 'Is empty.'
  if (isTooLong(text)) return `Must have at most ${MAX_URL_LENGTH.toLocaleString('en-US')} characters.`
  if (/\s/.test(text)) return 'Must be a single URL without spaces or line breaks.'
  if (/^@[^@/]+$/.test(text)) return `Is the name of a channel, not a link to a video. ${LISTED}`
  if (/^(?:PL|UC)[\w-]{10,62}$/.test(text))
    return `Is the ID of a ${text.startsWith('PL') ? 'playlist' : 'channel'}, not of a video. ${LISTED}`
  const url = parseUrl(text)
  if (!url || text.includes('\\') || !isPlain(text)) return 'Is not a URL.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Must be an http or https URL.'
  if (authorityOf(text).includes('@')) return 'Must not contain a user name or a password.'
  if (!PLAIN_HOST.test(text)) return 'Must name the host in plain letters, digits, dots and hyphens.'
  return findHostProblem(url) ?? `Is a link to ${describePage(url)}.${isSourceUrl(text) ? ` ${LISTED}` : ''}`
}

/** Returns the part of a URL that names the host, as typed. */
const authorityOf = (text: string): string => text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split(/[/?#]/, 1)[0] ?? ''

function findHostProblem({ hostname, port }: URL): string | null {
  if (HOSTS.has(hostname) || NO_COOKIE_HOSTS.has(hostname) || hostname === SHORT_HOST) {
    return port === '' ? null : 'Must not contain a port.'
  }
  if (!hostname.includes('.')) return 'Is not a URL.'
  const host = `\`${shorten(hostname)}\``
  if (hostname.endsWith('.youtube.com')) return `Is a link to ${host}, which does not serve public videos.`
  const isLookAlike = /youtu|y0utu|xn--/.test(hostname)
  return isLookAlike
    ? `Is a link to ${host}, which looks like the video platform but is another site.`
    : `Is a link to another site, ${host}.`
}

function describePage({ hostname, pathname, searchParams }: URL): string {
  const [first = '', second = ''] = pathname.split('/').slice(1)
  if (hostname === SHORT_HOST && first !== '')
    return describeId(first === 'watch' ? (searchParams.get('v') ?? '') : first)
  if (first.startsWith('@')) return 'a channel, not to a video'
  const page = (first === 'embed' && EMBEDDED_PAGES[second]) || (Object.hasOwn(PAGES, first) && PAGES[first])
  if (page) return `${page}, not to a video`
  if (WATCH_PAGES.has(first) && HOSTS.has(hostname)) return describeId(searchParams.get('v') ?? '')
  return PATH_FORMS.has(first) ? describeId(second) : 'a page of the platform that is not a video'
}

function describeId(id: string): string {
  if (id === '') return 'a video, but without its ID'
  if (VIDEO_ID.test(id)) return 'a video with something else after its ID'
  return 'a video with an invalid ID: an ID has exactly 11 characters, which are letters, digits, `-` or `_`'
}

const MAX_SHOWN = 80
const shorten = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text)
