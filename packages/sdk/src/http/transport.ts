import { buildResponseError, ConnectionError, SubtextError } from '../errors.ts'
import type { Meta, Warning } from '../generated/types.ts'
import { withDeadline } from './deadline.ts'
import { endSilence } from './end-silence.ts'
import { pauseMs, sleep } from './sleep.ts'

const isForm = (body: unknown): body is FormData => body instanceof FormData

export interface RequestOptions {
  /** Cancels the call, including its retries. The call rejects with the reason of the signal. */
  signal?: AbortSignal
  /** Maximum time of each attempt in milliseconds; of a body that is read as a stream, the maximum time without any data. */
  timeoutMs?: number
  /** Number of retries of this call. */
  maxRetries?: number
  /** For calls that create something. Default: a random one, kept over the retries of the call. */
  idempotencyKey?: string
}

/** Information about a response, besides its data. */
export interface ResponseInfo {
  status: number
  requestId: string | undefined
  /** What was done differently than requested. */
  warnings: Warning[]
  headers: Headers
}

export type Query = Record<string, string | number | boolean | undefined>

export interface Call extends RequestOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base URL. */
  path: string
  query?: Query
  body?: unknown
  headers?: Record<string, string>
  /** Sends an `Idempotency-Key`. */
  creates?: boolean
  /** Maximum time without any data in a body that is read as a stream. Default: `timeoutMs`. */
  silenceMs?: number
  /** Data to return if a repeated deletion finds nothing: an earlier attempt, whose answer was lost, has deleted it. */
  dataIfGone?: unknown
}

export interface TransportOptions {
  /** Ends with `/api/v1`. */
  baseUrl: string
  /** Null if the session of the browser is used. */
  apiKey: string | null
  fetch: typeof fetch
  timeoutMs: number
  maxRetries: number
  onResponse?: (info: ResponseInfo) => void
}

export interface Transport {
  readonly maxRetries: number
  /** Whether the service has answered any request so far, be it with an error of its own. */
  reached: boolean
  /** Returns the `data` of the envelope. */
  json<T>(call: Call): Promise<T>
  /** Sends a request whose response has no body. */
  none(call: Call): Promise<void>
  /** Returns the response as soon as its headers have arrived, to be read as a stream. */
  open(call: Call): Promise<Response>
}

/** A longer pause is left to the caller, which gets the error with `retryAfterMs`. */
const MAX_RETRY_AFTER_MS = 60_000

/**
 * Creates the function that sends requests. Failures of the connection, timeouts, 408, 429, and errors that the API calls
 * retryable are retried; no other 4xx is, except `IDEMPOTENCY_IN_PROGRESS`.
 */
export function createTransport(options: TransportOptions): Transport {
  /** Calls `onRetry` with every error after which the request is repeated. */
  async function send<T>(
    call: Call,
    read: (response: Response) => Promise<T>,
    onRetry?: (error: SubtextError) => void,
  ): Promise<T> {
    const request = buildRequest(options, call)
    const maxRetries = call.maxRetries ?? options.maxRetries
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await attemptOnce(options, call, request, read)
        transport.reached = true
        return result
      } catch (error) {
        call.signal?.throwIfAborted()
        transport.reached ||= isOwnError(error)
        if (attempt >= maxRetries || !canRetry(error)) throw error
        onRetry?.(error)
        await sleep(pauseMs(attempt, error.retryAfterMs), call.signal)
      }
    }
  }
  /** Returns what `work` returns or, if a repeated deletion finds nothing, the data for that case. */
  async function unlessGone<T>(call: Call, work: (onRetry: (error: SubtextError) => void) => Promise<T>): Promise<T> {
    let mayHaveActed = false
    try {
      return await work((error) => {
        mayHaveActed ||= isAnswerLost(error)
      })
    } catch (error) {
      if (!mayHaveActed || call.dataIfGone === undefined || !isNotFound(error)) throw error
      return call.dataIfGone as T
    }
  }
  const transport: Transport = {
    maxRetries: options.maxRetries,
    reached: false,
    async json<T>(call: Call) {
      const read = async (response: Response) => {
        const envelope = (await response.json()) as { data: T; meta?: Meta } | null
        if (envelope === null || !isRecord(envelope.data)) throw new SyntaxError('No data')
        return { response, envelope }
      }
      return unlessGone<T>(call, async (onRetry) => {
        const { response, envelope } = await send(call, read, onRetry)
        report(options, response, envelope.meta)
        return envelope.data
      })
    },
    async none(call) {
      const read = async (response: Response) => {
        await response.body?.cancel()
        return response
      }
      await unlessGone(call, async (onRetry) => report(options, await send(call, read, onRetry)))
    },
    async open(call) {
      const silence = new AbortController()
      const signal = call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal
      const response = await send({ ...call, signal }, async (response) => response)
      report(options, response)
      return endSilence(response, call.silenceMs ?? call.timeoutMs ?? options.timeoutMs, () => silence.abort())
    },
  }
  return transport
}

/** Whether a repeated request may succeed, after a pause that is short enough. */
export const canRetry = (error: unknown): error is SubtextError =>
  error instanceof SubtextError &&
  error.retryable &&
  (error.status < 400 || error.status === 408 || error.status === 429 || error.status >= 500 || isInProgress(error)) &&
  (error.retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS

/** Whether the service may have done what was requested: it did not answer, or a proxy answered in its place. */
const isAnswerLost = ({ status, code }: SubtextError): boolean =>
  status === 0 || status >= 500 || code === 'INVALID_RESPONSE'

/** Whether the service itself sent the error. */
const isOwnError = (error: unknown): boolean =>
  error instanceof SubtextError && error.status > 0 && error.code !== 'INVALID_RESPONSE'

const isNotFound = (error: unknown): boolean => error instanceof SubtextError && error.code === 'NOT_FOUND'

const isInProgress = (error: SubtextError): boolean => error.code === 'IDEMPOTENCY_IN_PROGRESS'

/** Frameworks that replace `fetch` read more than the standard names. */
type Init = RequestInit & { next: { revalidate: number } }

function buildRequest({ baseUrl, apiKey }: TransportOptions, call: Call): { url: string; init: Init } {
  const { idempotencyKey = newKey() } = call
  if (!/^[ -~]+$/.test(idempotencyKey)) {
    throw new SubtextError('An idempotency key consists of printable ASCII characters.', { code: 'VALIDATION_ERROR' })
  }
  const url = new URL(baseUrl + call.path)
  // URLs resolve `.` and `..`, which would turn the request into another one.
  const isResolved = !url.href.endsWith(call.path)
  if (isResolved || /\/\/|[^/]\/[^/]+\/$/.test(call.path)) {
    throw new SubtextError('An ID is missing or invalid.', { code: 'VALIDATION_ERROR' })
  }
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return {
    url: url.href,
    init: {
      method: call.method,
      headers: {
        Accept: 'application/json',
        ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
        // A form names its own type, with the border between its parts.
        ...(call.body !== undefined && !isForm(call.body) && { 'Content-Type': 'application/json' }),
        ...(call.creates && { 'Idempotency-Key': idempotencyKey }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: isForm(call.body) ? call.body : JSON.stringify(call.body) }),
      // Not every runtime removes the key from a request that is redirected to another host.
      redirect: 'manual',
      // Next.js would keep responses for ever. Not `cache`, on which some edge runtimes throw.
      next: { revalidate: 0 },
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Not `randomUUID`, which is missing in pages without a secure connection. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Sends the request once. The time limit covers `read`; a stream is read after it, with a limit of its own. */
async function attemptOnce<T>(
  options: TransportOptions,
  call: Call,
  { url, init }: { url: string; init: RequestInit },
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const timeoutMs = call.timeoutMs ?? options.timeoutMs
  const { origin } = new URL(url)
  const message = `${origin} did not respond within ${timeoutMs} ms.`
  try {
    return await withDeadline({ signal: call.signal, timeoutMs }, message, async (signal) => {
      const response = await options.fetch(url, { ...init, signal })
      if (isRedirect(response)) throw await refuseRedirect(response, url)
      if (response.status >= 400) throw buildResponseError(response, await response.json().catch(() => undefined))
      return read(response)
    })
  } catch (error) {
    call.signal?.throwIfAborted()
    throw classifyFailure(error, origin)
  }
}

/** Browsers hide the status of a redirect. */
const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)

async function refuseRedirect(response: Response, url: string): Promise<SubtextError> {
  await response.body?.cancel()
  const { origin } = new URL(url)
  const location = response.headers.get('Location') ?? ''
  const target = URL.canParse(location, url) ? new URL(location, url).origin : 'another address'
  const message = `${origin} redirects to ${target}, which is not followed. Correct the base URL.`
  return new SubtextError(message, { status: response.status, code: 'INVALID_RESPONSE' })
}

function classifyFailure(error: unknown, origin: string): SubtextError {
  if (error instanceof SubtextError) return error
  // By its name: in the sandbox of a test runner, the class of the error is not the one that code there knows.
  if (isRecord(error) && error.name === 'SyntaxError') {
    const message = `The response of ${origin} is not one of the API. Check the base URL.`
    return new SubtextError(message, { code: 'INVALID_RESPONSE', cause: error })
  }
  return new ConnectionError(`The connection to ${origin} failed.`, {
    code: 'CONNECTION_ERROR',
    retryable: true,
    cause: error,
  })
}

function report({ onResponse }: TransportOptions, { status, headers }: Response, meta?: Partial<Meta>): void {
  const requestId = meta?.request_id ?? headers.get('X-Request-Id') ?? undefined
  onResponse?.({ status, requestId, warnings: meta?.warnings ?? [], headers })
}
