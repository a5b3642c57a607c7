import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dispatcher } from 'undici'
import { Constants, Innertube, Log, type Types } from 'youtubei.js'
import { appOf, type ClientName } from './clients.ts'
import { PLATFORM } from './platform-address.ts'
import { UpstreamRefusal } from './refusal.ts'
import { fetchSignatureTimestamp } from './signature-timestamp.ts'
import type { TokenProvider } from './token-provider.ts'
import { decodeBody, type Send } from './transport.ts'

interface SessionOptions {
  send: Send
  dispatcher: Dispatcher | undefined
  requestTimeoutMs: number
  /** For the web client, which is not used without. */
  tokens?: TokenProvider
  log: (message: string, fields: Record<string, unknown>) => void
}

/** One visitor, as the platform sees it: an identity and the address it comes from. */
export interface PlatformSession {
  /** The platform gave the identity itself; one made up here is trusted less and should not live long. */
  readonly isGenuine: boolean
  /** The untouched JSON of `/player`. Throws `UpstreamRefusal`. */
  fetchPlayer(videoId: string, client: ClientName, signal: AbortSignal): Promise<unknown>
  /** What the website tells of a video beside its streams and captions, as `/player` answers. Throws `UpstreamRefusal`. */
  fetchMetadata(videoId: string, signal: AbortSignal): Promise<unknown>
  /** The body at a caption address, in pieces. Throws `UpstreamRefusal`. */
  fetchCaptions(url: URL, client: ClientName, signal: AbortSignal): Promise<Uint8Array[]>
  /** At least `count` of the top comments as the library reads them, or all there are. Throws `UpstreamRefusal`. */
  fetchComments(videoId: string, count: number, signal: AbortSignal): Promise<unknown[]>
}

// Ten hours of captions take longer than the answer to a question.
const CAPTION_TIMEOUT_FACTOR = 3
const MOST_COMMENT_PAGES = 5

// The library passes no signal on; one session serves many jobs, each with its own.
const jobSignal = new AsyncLocalStorage<AbortSignal | undefined>()

const addressOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input)

const createFetch =
  ({ send, dispatcher, requestTimeoutMs }: SessionOptions): Types.FetchFunction =>
  async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const body = await send({
      url: addressOf(input),
      method: init?.method ?? request?.method ?? 'GET',
      headers: new Headers(init?.headers ?? request?.headers),
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
  const refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'retry' } as const
  return new UpstreamRefusal({ ...refusal, why: isTransient(error) ? 'malformed_json' : 'client_library' }, error)
}

const createInnertube = async (options: SessionOptions): Promise<{ innertube: Innertube; isGenuine: boolean }> => {
  Log.setLevel(Log.Level.NONE)
  const settings = {
    // Reasons are classified by their English words.
    lang: 'en',
    retrieve_player: false,
    retrieve_innertube_config: false,
    fail_fast: true,
    fetch: createFetch(options),
  }
  try {
    return { innertube: await Innertube.create(settings), isGenuine: true }
  } catch (error) {
    const why = error instanceof UpstreamRefusal ? error.refusal.why : 'malformed_session_data'
    options.log('youtube_session_made_up', { why })
    return { innertube: await Innertube.create({ ...settings, generate_session_locally: true }), isGenuine: false }
  }
}

const PERMISSIONS = { contentCheckOk: true, racyCheckOk: true }

/** The website needs a token for captions alone: https://github.com/TeamNewPipe/NewPipeExtractor asks it in this way. */
const METADATA_ROUTE = '/player?$fields=microformat,videoDetails'

interface Question {
  route: string
  body: Record<string, unknown>
  /** Where in the answer the player's is. */
  read?: (answer: unknown) => unknown
}

const readReel = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'playerResponse' in answer ? answer.playerResponse : {}

const buildQuestion = (videoId: string, client: Exclude<ClientName, 'WEB'>): Question =>
  client === 'ANDROID_REEL'
    ? {
        route: '/reel/reel_item_watch',
        body: { client: appOf(client), playerRequest: { videoId, ...PERMISSIONS }, disablePlayerResponse: false },
        read: readReel,
      }
    : { route: '/player', body: { videoId, client, ...PERMISSIONS } }

const buildWebQuestion = (videoId: string, poToken: string, signatureTimestamp: number | undefined): Question => ({
  route: '/player',
  body: {
    ...{ videoId, client: 'WEB', ...PERMISSIONS },
    serviceIntegrityDimensions: { poToken },
    playbackContext: { contentPlaybackContext: { html5Preference: 'HTML5_PREF_WANTS', signatureTimestamp } },
  },
})

/** The last page may hold more than is asked for. */
const readComments = async (innertube: Innertube, videoId: string, count: number): Promise<unknown[]> => {
  let page = await innertube.getComments(videoId)
  const comments: unknown[] = page.contents.map((thread) => thread.comment)
  for (let pages = 1; comments.length < count && page.has_continuation && pages < MOST_COMMENT_PAGES; pages++) {
    page = await page.getContinuation()
    comments.push(...page.contents.map((thread) => thread.comment))
  }
  return comments
}

/** Opens a session; the signal of the job that happens to need it first does not end it for the others. */
export const openSession = async (options: SessionOptions): Promise<PlatformSession> => {
  const { innertube, isGenuine } = await jobSignal.run(undefined, () => createInnertube(options))
  const { send, dispatcher, requestTimeoutMs, tokens } = options
  const userAgentOf = (client: ClientName): string => {
    const app = appOf(client)
    return app === 'WEB' ? (innertube.session.user_agent ?? '') : Constants.CLIENTS[app].USER_AGENT
  }
  const get = (url: URL, client: ClientName, signal: AbortSignal | undefined): Promise<Uint8Array[]> => {
    const headers = new Headers({
      'user-agent': userAgentOf(client),
      accept: '*/*',
      'accept-language': 'en',
      referer: `${PLATFORM}/`,
    })
    const timeoutMs = requestTimeoutMs * CAPTION_TIMEOUT_FACTOR
    return send({ url, method: 'GET', headers, dispatcher, signal, timeoutMs })
  }
  let signatureTimestamp: Promise<number | undefined> | undefined
  const askAs = async (videoId: string, client: ClientName, signal: AbortSignal): Promise<Question> => {
    if (client !== 'WEB') return buildQuestion(videoId, client)
    signatureTimestamp ??= fetchSignatureTimestamp(async (url) => decodeBody(await get(url, client, undefined)))
    const token = await tokens?.fetchToken(videoId, signal)
    return buildWebQuestion(videoId, token ?? '', await signatureTimestamp)
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
        const { route, body, read = (answer: unknown) => answer } = await askAs(videoId, client, signal)
        return read((await innertube.actions.execute(route, body)).data)
      }),
    fetchMetadata: (videoId, signal) =>
      withLibrary(signal, async () => {
        const body = { videoId, client: 'WEB', ...PERMISSIONS }
        return (await innertube.actions.execute(METADATA_ROUTE, body)).data
      }),
    async fetchCaptions(url, client, signal) {
      const videoId = url.searchParams.get('v')
      if (client !== 'WEB' || videoId === null || !tokens) return get(url, client, signal)
      const addressed = new URL(url)
      addressed.searchParams.set('pot', await tokens.fetchToken(videoId, signal))
      addressed.searchParams.set('c', client)
      return get(addressed, client, signal)
    },
    fetchComments: (videoId, count, signal) => withLibrary(signal, () => readComments(innertube, videoId, count)),
  }
}
