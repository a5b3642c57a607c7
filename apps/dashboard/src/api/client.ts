import { type ErrorFields, type ResponseInfo, Subtext } from '@subtext/sdk'
import { setServiceTime } from '../service-clock.ts'
import { SignInError } from './errors.ts'

/**
 * Creates a client of the API. The session of the browser authenticates it. Queries decide themselves what to retry: a page
 * that silently waits for the end of the request limit would look broken.
 */
export const createClient = (onResponse?: (info: ResponseInfo) => void): Subtext =>
  new Subtext({ apiKey: null, baseUrl: location.origin, maxRetries: 0, onResponse })

export const subtext = createClient()

interface ErrorBody {
  error?: Pick<ErrorFields, 'code' | 'details' | 'retryable'> & { message?: string }
  code?: ErrorFields['code']
  message?: string
}

const SILENT = 'The service did not respond as expected. Try again.'

/** Calls a route of `/auth`, which belongs to better-auth and not to the API. */
export async function callAuth<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/auth${path}`, {
    method,
    headers: { Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new SignInError('The connection failed.', { code: 'CONNECTION_ERROR', retryable: true, cause })
  })
  setServiceTime(response.headers.get('Date'))
  const content: unknown = await response.json().catch(() => undefined)
  if (response.ok && content !== undefined) return content as T
  const { error, code, message } = (content ?? {}) as ErrorBody
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  throw new SignInError(error?.message ?? message ?? SILENT, {
    status: response.status,
    code: error?.code ?? code ?? 'INVALID_RESPONSE',
    details: error?.details,
    retryable: error?.retryable ?? response.status >= 500,
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }),
  })
}
