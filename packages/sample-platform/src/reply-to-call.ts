import { buildFeed } from './channel-feed.ts'
import { buildCommentsPage, readContinuation } from './comments-page.ts'
import { browse, type ListContents, resolveUrl } from './list-replies.ts'
import { CAPTCHA_PAGE, UNAVAILABLE } from './player-replies.ts'
import { buildPlayerResponse, buildVssId } from './player-response.ts'
import { type ApiBody, type PlatformCall, readApiBody, readTrackKey } from './read-call.ts'
import type { PlayerReply, PlayerRequest, SampleTrack, SampleVideo } from './sample-video.ts'
import { buildSessionData } from './session-data.ts'
import { drawThumbnail } from './thumbnail.ts'
import { renderTrack, selectFormat, type TimedtextFormat, type TimedtextPayload } from './timedtext/render-track.ts'

/** The state that the replies of a platform depend on. */
export interface PlatformContents extends ListContents {
  findVideo(id: string | null): SampleVideo | undefined
  /** Returns the identity of the next new visitor. */
  nextVisitor(): string
  /** Returns a player request with its numbers among the others. */
  number(
    videoId: string,
    visitorData: string,
    request: Pick<PlayerRequest, 'endpoint' | 'client' | 'hasToken' | 'hasTimestamp'>,
  ): PlayerRequest
}

export interface PlatformReply {
  status: number
  contentType: string
  body: string | Uint8Array
}

const PLAYER_ID = 'a1b2c3d4'
const JSON_TYPE = 'application/json; charset=UTF-8'
const FEED_TYPE = 'text/xml; charset=UTF-8'
const HTML_TYPE = 'text/html; charset=utf-8'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

const reply = (contentType: string, body: string | Uint8Array, status = 200): PlatformReply => ({
  status,
  contentType,
  body,
})
const replyJson = (body: object, status = 200): PlatformReply => reply(JSON_TYPE, JSON.stringify(body), status)

const NOT_FOUND = reply(HTML_TYPE, '<!DOCTYPE html><title>404 Not Found</title>', 404)
const BAD_REQUEST = replyJson(
  {
    error: {
      code: 400,
      message: 'Request contains an invalid argument.',
      errors: [{ message: 'Request contains an invalid argument.', domain: 'global', reason: 'badRequest' }],
      status: 'INVALID_ARGUMENT',
    },
  },
  400,
)

const UNKNOWN_ENTITY = replyJson(
  { error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } },
  404,
)

type Handler = (contents: PlatformContents, url: URL, body: ApiBody, call: PlatformCall) => PlatformReply | 'hang'

const ROUTES: Record<string, Handler> = {
  'GET /sw.js_data': (contents) => reply(JSON_TYPE, buildSessionData(contents.nextVisitor())),
  'GET /iframe_api': () =>
    reply(
      SCRIPT_TYPE,
      `var scriptUrl = 'https:\\/\\/www.youtube.com\\/s\\/player\\/${PLAYER_ID}\\/www-widgetapi.vflset\\/www-widgetapi.js';`,
    ),
  [`GET /s/player/${PLAYER_ID}/player_es6.vflset/en_US/base.js`]: () =>
    reply(SCRIPT_TYPE, 'var a={signatureTimestamp:20649};'),
  'POST /youtubei/v1/config': () => replyJson({ responseContext: {}, configData: 'sample' }),
  'POST /youtubei/v1/visitor_id': (contents) => replyJson({ responseContext: { visitorData: contents.nextVisitor() } }),
  'POST /youtubei/v1/player': (contents, url, body, call) =>
    replyWithMetadata(contents, url, body) ?? playVideo(contents, 'player', body, call),
  'POST /youtubei/v1/reel/reel_item_watch': (contents, _url, body, call) => playVideo(contents, 'reel', body, call),
  'POST /youtubei/v1/next': replyWithComments,
  'POST /youtubei/v1/browse': (contents, _url, body) => {
    const page = browse(contents, body)
    return page === null ? BAD_REQUEST : replyJson(page)
  },
  'POST /youtubei/v1/navigation/resolve_url': (contents, _url, body) => {
    const resolved = resolveUrl(contents, body.url)
    return resolved === null ? UNKNOWN_ENTITY : replyJson(resolved)
  },
  'GET /feeds/videos.xml': (contents, url) => {
    const channel = contents.findChannel(url.searchParams.get('channel_id') ?? '')
    return channel && channel.hasFeed !== false ? reply(FEED_TYPE, buildFeed(channel)) : NOT_FOUND
  },
  'GET /api/timedtext': replyWithCaptions,
}

/** Answers a request as the platform would; `hang`: not at all. */
export function replyToCall(contents: PlatformContents, call: PlatformCall): PlatformReply | 'hang' {
  const { method, url } = call
  const isThumbnail = url.pathname.startsWith('/vi/') && (method === 'GET' || method === 'HEAD')
  if (isThumbnail) return replyWithThumbnail(contents, url)
  const route = ROUTES[`${method} ${url.pathname}`]
  if (!route) return NOT_FOUND
  const body = readApiBody(call)
  return body === null ? BAD_REQUEST : route(contents, url, body, call)
}

function playVideo(
  contents: PlatformContents,
  endpoint: 'player' | 'reel',
  body: ApiBody,
  call: PlatformCall,
): PlatformReply | 'hang' {
  const { client, videoId, hasToken, hasTimestamp } = body
  if (client === null || videoId === null) return BAD_REQUEST
  const visitorData = body.visitorData ?? call.header('x-goog-visitor-id') ?? contents.nextVisitor()
  const context = { client, visitorData, now: Date.now() }
  const video = contents.findVideo(videoId)
  const numbered = contents.number(videoId, visitorData, { endpoint, client, hasToken, hasTimestamp })
  // On this route, the platform replies with an empty object for unknown videos.
  if (video === undefined && endpoint === 'reel') return replyJson({})
  const shown = video ?? buildEmptyVideo(videoId)
  const played: PlayerReply = video === undefined ? UNAVAILABLE : (video.play?.(numbered) ?? { as: 'json' })
  const wrap = (player: object) => (endpoint === 'reel' ? { playerResponse: player } : player)
  switch (played.as) {
    case 'json':
      return replyJson(wrap(buildPlayerResponse(played.decoy ?? shown, played, context)))
    case 'truncated': {
      const whole = JSON.stringify(wrap(buildPlayerResponse(shown, { as: 'json' }, context)))
      return reply(JSON_TYPE, whole.slice(0, whole.length / 2))
    }
    case 'http':
      return reply(played.contentType, played.body, played.status)
    case 'hang':
      return 'hang'
  }
}

/** Answers requests with `$fields`, a selection of fields; null for others. Videos refused on other routes are not refused here. */
function replyWithMetadata(contents: PlatformContents, url: URL, body: ApiBody): PlatformReply | null {
  const fields = url.searchParams.get('$fields')?.split(',')
  const { client, videoId, visitorData } = body
  const video = contents.findVideo(videoId)
  if (!fields || client === null || video === undefined) return null
  const context = { client, visitorData: visitorData ?? contents.nextVisitor(), now: Date.now() }
  const whole = Object.entries(buildPlayerResponse(video, { as: 'json' }, context))
  return replyJson(Object.fromEntries(whole.filter(([name]) => fields.includes(name))))
}

function replyWithComments(contents: PlatformContents, _url: URL, { continuation, videoId }: ApiBody): PlatformReply {
  if (continuation === null) {
    if (videoId === null) return BAD_REQUEST
    const watch = { twoColumnWatchNextResults: { results: { results: { contents: [] } } } }
    return replyJson({ responseContext: {}, contents: watch })
  }
  const position = readContinuation(continuation)
  const video = contents.findVideo(position?.videoId ?? null)
  return position === null || video === undefined ? BAD_REQUEST : replyJson(buildCommentsPage(video, position.offset))
}

function replyWithCaptions(contents: PlatformContents, url: URL): PlatformReply {
  const { searchParams } = url
  const video = contents.findVideo(searchParams.get('v'))
  // The platform rate-limits machine translation hardest; clients should not depend on it.
  if (searchParams.has('tlang')) return reply(HTML_TYPE, CAPTCHA_PAGE, 429)
  const key = readTrackKey(url)
  const track = video?.tracks.find((candidate) => buildVssId(candidate) === key)
  if (video === undefined || track === undefined) return reply(HTML_TYPE, '', 404)
  const payload = render(video, track, selectFormat(searchParams.get('fmt')))
  const hasToken = searchParams.has('pot') && searchParams.get('potc') === '1'
  const gated = searchParams.get('exp') === 'xpe' && !hasToken
  return reply(payload.contentType, gated ? '' : (track.body ?? payload.body))
}

/** Rendered tracks are kept, because rendering a long video takes a while. */
const payloads = new WeakMap<SampleTrack, Map<string, TimedtextPayload>>()

function render({ lengthSeconds }: SampleVideo, track: SampleTrack, format: TimedtextFormat): TimedtextPayload {
  const known = payloads.get(track) ?? new Map<string, TimedtextPayload>()
  payloads.set(track, known)
  const key = `${format} ${lengthSeconds}`
  const payload = known.get(key) ?? renderTrack(track, format, lengthSeconds)
  known.set(key, payload)
  return payload
}

function replyWithThumbnail(contents: PlatformContents, { pathname }: URL): PlatformReply {
  const [, , videoId = '', file = ''] = pathname.split('/')
  const video = contents.findVideo(videoId)
  const image =
    video === undefined ? null : drawThumbnail(videoId, file.replace(/\.\w+$/, ''), video.highDefinition !== false)
  return image === null ? reply(HTML_TYPE, '', 404) : reply('image/png', image)
}

function buildEmptyVideo(id: string): SampleVideo {
  return {
    id,
    title: '',
    language: '',
    purpose: '',
    author: '',
    channelId: '',
    description: '',
    lengthSeconds: 0,
    published: '',
    viewCount: 0,
    tracks: [],
  }
}
