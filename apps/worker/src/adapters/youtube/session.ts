import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dispatcher } from 'undici'
import { Constants, Innertube, Log, type Types } from 'youtubei.js'
import { PLATFORM } from './platform-address.ts'
import { UpstreamRefusal } from './refusal.ts'
import type { Send } from './transport.ts'

export type ClientName = 'ANDROID' | 'VISIONOS' | 'IOS'

interface SessionOptions {
  send: Send
  dispatcher: Dispatcher | undefined
  requestTimeoutMs: number
  log: (message: string, fields: Record<string, unknown>) => void
}

/** One visitor, as the platform sees it: an identity and the address it comes from. */
export interface PlatformSession {
  /** The platform gave the identity itself; one made up here is trusted less and should not live long. */
  readonly isGenuine: boolean
  /** The untouched JSON of `/player`. Throws `UpstreamRefusal`. */
  fetchPlayer(videoId: string, client: ClientName, signal: AbortSignal): Promise<unknown>
  /** The body at a caption address. Throws `UpstreamRefusal`. */
  fetchCaptions(url: URL, client: ClientName, signal: AbortSignal): Promise<string>
}

// Ten hours of captions take longer than the answer to a question.
const CAPTION_TIMEOUT_FACTOR = 3

// The library passes no signal on; one session serves many jobs, each with its own.
const jobSignal = new AsyncLocalStorage<AbortSignal | undefined>()

const addressOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input)

const createFetch =
  ({ send, dispatcher, requestTimeoutMs }: SessionOptions): Types.FetchFunction =>
  async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const text = await send({
      url: addressOf(input),
      method: init?.method ?? request?.method ?? 'GET',
      headers: new Headers(init?.headers ?? request?.headers),
      body: typeof init?.body === 'string' ? init.body : undefined,
      dispatcher,
      signal: jobSignal.getStore(),
      timeoutMs: requestTimeoutMs,
    })
    return new Response(text)
  }

const isTransient = (error: unknown): error is SyntaxError => error instanceof Error && error.name === 'SyntaxError'

const playerFailure = (error: unknown): UpstreamRefusal => {
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

/** Opens a session; the signal of the job that happens to need it first does not end it for the others. */
export const openSession = async (options: SessionOptions): Promise<PlatformSession> => {
  const { innertube, isGenuine } = await jobSignal.run(undefined, () => createInnertube(options))
  return {
    isGenuine,
    async fetchPlayer(videoId, client, signal) {
      const question = { videoId, client, contentCheckOk: true, racyCheckOk: true, parse: false } as const
      try {
        const { data } = await jobSignal.run(signal, () => innertube.actions.execute('/player', question))
        return data
      } catch (error) {
        signal.throwIfAborted()
        throw playerFailure(error)
      }
    },
    fetchCaptions(url, client, signal) {
      const headers = new Headers({
        'user-agent': Constants.CLIENTS[client].USER_AGENT,
        accept: '*/*',
        'accept-language': 'en',
        referer: `${PLATFORM}/`,
      })
      const timeoutMs = options.requestTimeoutMs * CAPTION_TIMEOUT_FACTOR
      return options.send({ url, method: 'GET', headers, dispatcher: options.dispatcher, signal, timeoutMs })
    },
  }
}
