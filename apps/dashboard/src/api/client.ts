import { type ErrorFields, type ResponseInfo, Subtext, SubtextError } from '@subtext/sdk'
import { setServiceTime } from '../service-clock.ts'
import { SignInError } from './errors.ts'

/**
 * Creates a client of the API. The session of the browser authenticates it. Queries decide themselves what is worth another
 * request: a page that waits in silence until the request limit is over looks broken.
 */
export const createClient = (onResponse?: (info: ResponseInfo) => void): Subtext =>
  new Subtext({ apiKey: null, baseUrl: location.origin, maxRetries: 0, onResponse })

export const subtext = createClient()

interface ErrorBody {
  error?: Pick<ErrorFields, 'code' | 'details' | 'retryable'> & { message?: string }
  code?: ErrorFields['code']
  message?: string
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const SILENT = 'The service did not respond as expected. Try again.'

async function send(
  BuildError: typeof SubtextError,
  method: Method,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: { Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new BuildError('The connection failed.', { code: 'CONNECTION_ERROR', retryable: true, cause })
  })
  setServiceTime(response.headers.get('Date'))
  const content: unknown = await response.json().catch(() => undefined)
  if (response.ok && content !== undefined) return content
  const { error, code, message } = (content ?? {}) as ErrorBody
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  throw new BuildError(error?.message ?? message ?? SILENT, {
    status: response.status,
    code: error?.code ?? code ?? 'INVALID_RESPONSE',
    details: error?.details,
    retryable: error?.retryable ?? response.status >= 500,
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }),
  })
}

/** Calls a route of `/api/v1` that only sessions may use and the SDK does not have, and returns its `data`. */
export const callApi = async <T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> =>
  ((await send(SubtextError, method, `/api/v1${path}`, body, signal)) as { data: T }).data

/** Calls a route of `/auth`. */
export const callAuth = async <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  (await send(SignInError, method, `/auth${path}`, body)) as T
