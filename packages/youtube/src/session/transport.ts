import { withTimeout } from '@subtext/runtime'
import type { Dispatcher } from 'undici'
import { classifyHttp } from '../refusals/classify-http.ts'
import { type Refusal, UpstreamRefusal } from '../refusals/refusal.ts'
import { dispatchRequest, type PlatformFetch } from './dispatch-request.ts'
import { reportRequest } from './observe-requests.ts'
import { buildTarget, isPlatformAddress, wantedHost } from './platform-address.ts'

const MAX_REDIRECTS = 3
// A ten-hour video has about 10 MB of captions. A thread has too little memory to read much more than this limit.
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** Where the requests go. */
export interface PlatformDestination {
  /** Origin that receives every request instead of the platform; `X-Forwarded-Host` names the intended host. */
  origin?: string
  /** Answers every request in place of a server. */
  fetch?: PlatformFetch
}

/** Enough of a response to tell whether it is an HTML page. */
const HEAD_BYTES = 4_096

interface PlatformRequest {
  url: URL
  method: string
  /** Names in lower case. */
  headers: Record<string, string>
  body?: string
  dispatcher: Dispatcher | undefined
  signal: AbortSignal | undefined
  timeoutMs: number
  /** The refusal of a successful response whose body is too large. Default: another client may get less. */
  tooLarge?: Refusal
  /** Statuses besides 200 whose bodies are answers, unless they are HTML pages. Default: none. */
  answers?: readonly number[]
}

interface PlatformResponse {
  status: number
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  /** Only the beginning if the body is too large. */
  body: Uint8Array[]
  isTooLarge: boolean
}

/** Sends a request and returns the body of a successful response in chunks. Throws `UpstreamRefusal`, or the signal's reason. */
export type Send = (request: PlatformRequest) => Promise<Uint8Array[]>

export const decodeBody = (body: Uint8Array[]): string => {
  const [only] = body
  return new TextDecoder().decode(only && body.length === 1 ? only : Buffer.concat(body))
}

const foreignAddress: Refusal = { code: 'UPSTREAM_BLOCKED', next: 'next-client', cause: 'foreign_address' }
const tooLarge: Refusal = { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', cause: 'too_large' }

/** Decodes the beginning of a body. One that is shorter is padded with zeros. */
const decodeHead = (body: Uint8Array[]): string => new TextDecoder().decode(Buffer.concat(body, HEAD_BYTES))

const readBody = async (
  body: Awaited<ReturnType<PlatformFetch>>['body'],
): Promise<Pick<PlatformResponse, 'body' | 'isTooLarge'>> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the rest of the response.
    if (bytes > MAX_BODY_BYTES) return { body: chunks, isTooLarge: true }
    chunks.push(chunk)
  }
  return { body: chunks, isTooLarge: false }
}

const exchange = async (
  request: PlatformRequest,
  signal: AbortSignal,
  destination: PlatformDestination,
): Promise<PlatformResponse> => {
  const { origin, fetch: send = dispatchRequest } = destination
  if (!isPlatformAddress(request.url, origin)) throw new UpstreamRefusal(foreignAddress)
  const headers = Object.entries(request.headers)
  if (origin !== undefined) headers.push(['x-forwarded-host', wantedHost(request.url, origin)])
  reportRequest()
  const response = await send(origin === undefined ? request.url : buildTarget(request.url, origin), {
    method: request.method,
    headers,
    body: request.body,
    dispatcher: request.dispatcher,
    redirect: 'manual',
    signal,
    maxBytes: MAX_BODY_BYTES,
  })
  return { status: response.status, headers: new Map(response.headers), ...(await readBody(response.body)) }
}

const redirectTarget = (request: PlatformRequest, reply: PlatformResponse, origin?: string): URL | null => {
  const location = reply.headers.get('location')
  if (request.method !== 'GET' || reply.status < 300 || reply.status > 399 || !location) return null
  if (!URL.canParse(location, request.url.href)) return null
  const target = new URL(location, request.url)
  return isPlatformAddress(target, origin) ? target : null
}

const exchangeFollowing = async (
  request: PlatformRequest,
  signal: AbortSignal,
  destination: PlatformDestination,
): Promise<PlatformResponse> => {
  let reply = await exchange(request, signal, destination)
  let current = request
  for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
    const url = redirectTarget(current, reply, destination.origin)
    if (!url) break
    current = { ...request, url }
    reply = await exchange(current, signal, destination)
  }
  return reply
}

const failure = (error: unknown): UpstreamRefusal => {
  if (error instanceof UpstreamRefusal) return error
  const timedOut = error instanceof Error && error.name === 'TimeoutError'
  const cause = timedOut ? 'timeout' : 'network'
  return new UpstreamRefusal({ code: 'UPSTREAM_UNAVAILABLE', next: 'retry', cause }, error)
}

/**
 * Creates the HTTP client for the platform. It connects only to the platform's addresses (after redirects too), and limits
 * the time of each request and the size of each body.
 */
export const createSend =
  (destination: PlatformDestination = {}): Send =>
  async (request) => {
    try {
      const reply = await withTimeout(request.timeoutMs, request.signal, (signal) =>
        exchangeFollowing(request, signal, destination),
      )
      const status = request.answers?.includes(reply.status) ? 200 : reply.status
      const refusal = classifyHttp(status, reply.headers, decodeHead(reply.body))
      if (refusal) throw new UpstreamRefusal(refusal)
      if (reply.isTooLarge) throw new UpstreamRefusal(request.tooLarge ?? tooLarge)
      return reply.body
    } catch (error) {
      request.signal?.throwIfAborted()
      throw failure(error)
    }
  }
