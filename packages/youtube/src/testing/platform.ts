import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

interface SeenRequest {
  path: string
  query: URLSearchParams
  wantedHost: string
  userAgent: string
  /** As `ANDROID` or `ANDROID_REEL`. */
  client: string
  videoId: string
  hl: string
  visitor: string
}

/** An object is sent as JSON, a string as it is, a number as a status with an HTML page; `hang` sends nothing. */
export type ScriptedReply = object | string | number | 'hang'

export interface TestPlatform {
  origin: string
  seen: SeenRequest[]
  close(): Promise<void>
}

interface Script {
  player: (request: SeenRequest, nth: number) => ScriptedReply
  captions?: (request: SeenRequest, nth: number) => ScriptedReply
  session?: () => ScriptedReply
  /** Answers requests for a page of comments. */
  comments?: (nth: number) => ScriptedReply
  /** Answers the website's request for metadata. */
  metadata?: () => ScriptedReply
}

const sessionData = (visitor: string): string => {
  const device: unknown[] = Array.from({ length: 110 }, () => null)
  Object.assign(device, { 0: 'en', 1: 'US', 13: visitor, 16: '2.20260101.00.00', 17: 'X11', 18: '', 61: ['x'] })
  return `)]}'\n${JSON.stringify([[null, null, [[device], 'key']]])}`
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

const describeRequest = (request: IncomingMessage, body: string): SeenRequest => {
  const url = new URL(`http://platform${request.url}`)
  const { context, videoId, playerRequest } = body === '' ? { context: { client: {} } } : JSON.parse(body)
  const { client } = context
  return {
    path: url.pathname,
    query: url.searchParams,
    wantedHost: String(request.headers['x-forwarded-host']),
    userAgent: String(request.headers['user-agent']),
    client: (client.clientName ?? '') + (url.pathname.startsWith('/youtubei/v1/reel/') ? '_REEL' : ''),
    videoId: videoId ?? playerRequest?.videoId ?? '',
    hl: client.hl ?? '',
    visitor: client.visitorData ?? '',
  }
}

const send = (response: ServerResponse, reply: ScriptedReply): void => {
  if (reply === 'hang') return
  if (typeof reply === 'number') {
    response.writeHead(reply, { 'content-type': 'text/html', location: 'https://www.google.com/sorry/index' })
    response.end('<!DOCTYPE html><html></html>')
  } else response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
}

/** Starts a server with the platform's routes that the source uses. It replies as `script` says; `nth` counts from 1. */
export const startTestPlatform = async (script: Script): Promise<TestPlatform> => {
  const seen: SeenRequest[] = []
  const count = (path: string): number => seen.filter((request) => request.path === path).length
  const server = createServer(async (request, response) => {
    const described = describeRequest(request, await readBody(request))
    seen.push(described)
    const nth = count(described.path)
    if (described.path === '/sw.js_data') send(response, script.session?.() ?? sessionData(`visitor-${nth}`))
    else if (described.path === '/youtubei/v1/player' && described.query.has('$fields'))
      send(response, script.metadata?.() ?? 404)
    else if (described.path === '/youtubei/v1/next') send(response, script.comments?.(nth) ?? 404)
    else if (described.path === '/youtubei/v1/player')
      send(response, script.player(described, nth + count('/youtubei/v1/reel/reel_item_watch')))
    else if (described.path === '/youtubei/v1/reel/reel_item_watch') {
      const reply = script.player(described, nth + count('/youtubei/v1/player'))
      send(response, typeof reply === 'object' ? { playerResponse: reply } : reply)
    } else if (described.path === '/api/timedtext') send(response, script.captions?.(described, nth) ?? 404)
    else send(response, 404)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Starts a proxy that opens tunnels, or answers every request for one with `status`. */
export const startTestProxy = async (
  status = 200,
): Promise<{ url: string; tunnels: () => number; close(): Promise<void> }> => {
  let tunnels = 0
  const server = createServer()
  server.on('connect', (request, socket) => {
    tunnels++
    socket.on('error', () => undefined)
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const { hostname, port } = new URL(`http://${request.url}`)
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels: () => tunnels,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export const VIDEO_ID = 'abcdefghijk'

const captionTrack = (vssId: string, name: string, extra: string) => ({
  baseUrl: `https://www.youtube.com/api/timedtext?v=${VIDEO_ID}&lang=${vssId.split('.')[1]}&fmt=srv3&xosf=1${extra}`,
  name: { runs: [{ text: name }] },
  vssId,
  languageCode: vssId.split('.')[1],
  ...(vssId.startsWith('a.') && { kind: 'asr' }),
})

/** Returns a playable video with a manual and an automatic English track; `extra` is appended to the caption addresses. */
export const playing = (extra = '') => ({
  playabilityStatus: { status: 'OK' },
  videoDetails: { videoId: VIDEO_ID, title: 'How mills turn', lengthSeconds: '300', isLiveContent: false },
  captions: {
    playerCaptionsTracklistRenderer: {
      captionTracks: [captionTrack('.en', 'English', extra), captionTrack('a.en', 'English (auto)', extra)],
      audioTracks: [{ defaultCaptionTrackIndex: 0 }],
      translationLanguages: [{ languageCode: 'fr' }],
    },
  },
})

export const withoutCaptions = () => ({ ...playing(), captions: undefined })

export const refused = (status: string, reason: string) => ({
  playabilityStatus: {
    status,
    reason,
    errorScreen: { playerErrorMessageRenderer: { reason: { runs: [{ text: reason }] } } },
  },
})

export const botCheck = () => refused('LOGIN_REQUIRED', 'Sign in to confirm you’re not a bot')

export const spoken = (...texts: string[]) => ({
  wireMagic: 'pb3',
  events: texts.map((utf8, index) => ({ tStartMs: index * 2000, dDurationMs: 1500, segs: [{ utf8 }] })),
})
