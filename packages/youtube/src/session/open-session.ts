import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dispatcher } from 'undici'
import { Constants, Innertube, Log, type Types } from 'youtubei.js'
import { appOf, type ClientName } from '../clients.ts'
import type { PlatformLog } from '../monitor.ts'
import { UpstreamRefusal, unreadableCaptions } from '../refusals/refusal.ts'
import type { TokenProvider } from '../token-provider.ts'
import { type CallFields, createCallComposer } from './compose-call.ts'
import { PLATFORM } from './platform-address.ts'
import { fetchSignatureTimestamp } from './signature-timestamp.ts'
import { decodeBody, type Send } from './transport.ts'

interface SessionOptions {
  send: Send
  dispatcher: Dispatcher | undefined
  requestTimeoutMs: number
  /** For the web client, which is not used without tokens. */
  tokens?: TokenProvider
  log: PlatformLog
}

/** One visitor as the platform sees it: an identity and the address it comes from. */
export interface PlatformSession {
  /** Whether the platform issued the identity. One generated here is trusted less and must not be used for long. */
  readonly isGenuine: boolean
  /** Fetches the JSON of `/player` as it is. Throws `UpstreamRefusal`. */
  fetchPlayer(videoId: string, client: ClientName, signal: AbortSignal): Promise<unknown>
  /** Fetches the website's metadata of a video, in the form of `/player`. Throws `UpstreamRefusal`. */
  fetchMetadata(videoId: string, signal: AbortSignal): Promise<unknown>
  /** Fetches the body at a caption address, in chunks. Throws `UpstreamRefusal`. */
  fetchCaptions(url: URL, client: ClientName, signal: AbortSignal): Promise<Uint8Array[]>
  /** Fetches the JSON of a page of comments as it is, by its token. Throws `UpstreamRefusal`. */
  fetchComments(token: string, signal: AbortSignal): Promise<unknown>
  /** Fetches the JSON of a page or of a part of one, such as a playlist. Throws `UpstreamRefusal`. */
  browse(fields: CallFields, signal: AbortSignal): Promise<PlatformAnswer>
  /** Fetches the feed of a channel, which the platform does not always have. Null if it is refused or fails. */
  fetchFeed(channelId: string, signal: AbortSignal): Promise<string | null>
  /** Fetches the JSON that says where an address of the website leads. Throws `UpstreamRefusal`. */
  resolveUrl(url: string, signal: AbortSignal): Promise<PlatformAnswer>
}

/** An answer of the website, which may be the error of an unknown name or ID. */
export interface PlatformAnswer {
  body: unknown
  /** Size of the body as it was sent, after decompression. */
  bytes: number
}

// Ten hours of captions take longer than other responses.
const CAPTION_TIMEOUT_FACTOR = 3
// A page of a list has more than half a megabyte.
const PAGE_TIMEOUT_FACTOR = 2
/** How the website answers requests for names and IDs that do not exist. */
const ANSWERED_ERRORS = [400, 404]

// The library does not pass on signals, and one session serves many jobs, each with its own signal.
const jobSignal = new AsyncLocalStorage<AbortSignal | undefined>()

const addressOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input)

const createFetch =
  ({ send, dispatcher, requestTimeoutMs }: SessionOptions): Types.FetchFunction =>
  async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const body = await send({
      url: addressOf(input),
      method: init?.method ?? request?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers ?? request?.headers)),
      body: typeof init?.body === 'string' ? init.body : undefined,
      dispatcher,
      signal: jobSignal.getStore(),
      timeoutMs: requestTimeoutMs,
    })
    return new Response(decodeBody(body))
  }

const isTransient = (error: unknown): error is SyntaxError => error instanceof Error && error.name === 'SyntaxError'

const libraryFailure = (error: unknown): UpstreamRefusal => {
  if (error instanceof UpstreamRefusal) return error
  const cause = isTransient(error) ? 'malformed_json' : 'client_library'
  return new UpstreamRefusal({ code: 'UPSTREAM_UNAVAILABLE', next: 'retry', cause }, error)
}

const createInnertube = async (options: SessionOptions): Promise<{ innertube: Innertube; isGenuine: boolean }> => {
  Log.setLevel(Log.Level.NONE)
  const settings = {
    // Refusals are classified by their English words.
    lang: 'en',
    retrieve_player: false,
    retrieve_innertube_config: false,
    fail_fast: true,
    fetch: createFetch(options),
  }
  try {
    return { innertube: await Innertube.create(settings), isGenuine: true }
  } catch (error) {
    const cause = error instanceof UpstreamRefusal ? error.refusal.cause : 'malformed_session_data'
    options.log('platform session generated locally', { cause })
    return { innertube: await Innertube.create({ ...settings, generate_session_locally: true }), isGenuine: false }
  }
}

const PERMISSIONS = { contentCheckOk: true, racyCheckOk: true }

/** The website needs a token only for captions. https://github.com/TeamNewPipe/NewPipeExtractor asks for metadata this way. */
const METADATA_ROUTE = '/player?$fields=microformat,videoDetails'

interface PlayerQuery {
  route: string
  fields: CallFields
  /** Extracts the player's part of the response. */
  read?: (body: unknown) => unknown
}

const readReel = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'playerResponse' in body ? body.playerResponse : {}

const buildQuery = (videoId: string, client: Exclude<ClientName, 'WEB'>): PlayerQuery =>
  client === 'ANDROID_REEL'
    ? {
        route: '/reel/reel_item_watch',
        fields: { playerRequest: { videoId, ...PERMISSIONS }, disablePlayerResponse: false },
        read: readReel,
      }
    : { route: '/player', fields: { videoId, ...PERMISSIONS } }

const buildWebQuery = (videoId: string, poToken: string, signatureTimestamp: number | undefined): PlayerQuery => ({
  route: '/player',
  fields: {
    videoId,
    ...PERMISSIONS,
    serviceIntegrityDimensions: { poToken },
    playbackContext: { contentPlaybackContext: { html5Preference: 'HTML5_PREF_WANTS', signatureTimestamp } },
  },
})

type Get = (url: URL, client: ClientName, signal: AbortSignal) => Promise<Uint8Array[]>

async function fetchFeed(channelId: string, signal: AbortSignal, get: Get): Promise<string | null> {
  const url = new URL('/feeds/videos.xml', PLATFORM)
  url.searchParams.set('channel_id', channelId)
  try {
    return decodeBody(await get(url, 'WEB', signal))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UpstreamRefusal) return null
    throw error
  }
}

/** Opens a session. It is not bound to the signal of the job that happens to need it first, since other jobs share it. */
export const openSession = async (options: SessionOptions): Promise<PlatformSession> => {
  const { innertube, isGenuine } = await jobSignal.run(undefined, () => createInnertube(options))
  const { send, dispatcher, requestTimeoutMs, tokens } = options
  const userAgentOf = (client: ClientName): string => {
    const app = appOf(client)
    return app === 'WEB' ? (innertube.session.user_agent ?? '') : Constants.CLIENTS[app].USER_AGENT
  }
  const get = (url: URL, client: ClientName, signal: AbortSignal | undefined): Promise<Uint8Array[]> => {
    const headers = {
      'user-agent': userAgentOf(client),
      accept: '*/*',
      'accept-language': 'en',
      referer: `${PLATFORM}/`,
    }
    const timeoutMs = requestTimeoutMs * CAPTION_TIMEOUT_FACTOR
    return send({ url, method: 'GET', headers, dispatcher, signal, timeoutMs, tooLarge: unreadableCaptions })
  }
  const composeCall = createCallComposer(innertube.session)
  const call = async (client: ClientName, route: string, fields: CallFields, signal: AbortSignal): Promise<unknown> => {
    const composed = await composeCall(appOf(client), route, fields)
    const body = await send({ ...composed, method: 'POST', dispatcher, signal, timeoutMs: requestTimeoutMs })
    return JSON.parse(decodeBody(body))
  }
  const ask = async (route: string, fields: CallFields, signal: AbortSignal): Promise<PlatformAnswer> => {
    const composed = await composeCall('WEB', route, fields)
    const sent = { ...composed, method: 'POST', dispatcher, signal, answers: ANSWERED_ERRORS }
    const body = await send({ ...sent, timeoutMs: requestTimeoutMs * PAGE_TIMEOUT_FACTOR })
    return {
      body: JSON.parse(decodeBody(body)),
      bytes: body.reduce((sum, { byteLength }) => sum + byteLength, 0),
    }
  }
  let signatureTimestamp: Promise<number | undefined> | undefined
  const queryAs = async (videoId: string, client: ClientName, signal: AbortSignal): Promise<PlayerQuery> => {
    if (client !== 'WEB') return buildQuery(videoId, client)
    signatureTimestamp ??= fetchSignatureTimestamp(async (url) => decodeBody(await get(url, client, undefined)))
    const token = await tokens?.fetchToken(videoId, signal)
    return buildWebQuery(videoId, token ?? '', await signatureTimestamp)
  }
  const withLibrary = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      return await jobSignal.run(signal, work)
    } catch (error) {
      signal.throwIfAborted()
      throw libraryFailure(error)
    }
  }
  return {
    isGenuine,
    fetchPlayer: (videoId, client, signal) =>
      withLibrary(signal, async () => {
        const { route, fields, read = (response: unknown) => response } = await queryAs(videoId, client, signal)
        return read(await call(client, route, fields, signal))
      }),
    fetchMetadata: (videoId, signal) =>
      withLibrary(signal, () => call('WEB', METADATA_ROUTE, { videoId, ...PERMISSIONS }, signal)),
    async fetchCaptions(url, client, signal) {
      const videoId = url.searchParams.get('v')
      if (client !== 'WEB' || videoId === null || !tokens) return get(url, client, signal)
      const withToken = new URL(url)
      withToken.searchParams.set('pot', await tokens.fetchToken(videoId, signal))
      withToken.searchParams.set('potc', '1')
      withToken.searchParams.set('c', client)
      return get(withToken, client, signal)
    },
    fetchComments: (token, signal) => withLibrary(signal, () => call('WEB', '/next', { continuation: token }, signal)),
    browse: (fields, signal) => withLibrary(signal, () => ask('/browse', fields, signal)),
    fetchFeed: (channelId, signal) => fetchFeed(channelId, signal, get),
    resolveUrl: (url, signal) => withLibrary(signal, () => ask('/navigation/resolve_url', { url }, signal)),
  }
}
