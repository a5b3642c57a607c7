import { type ResponseInfo, Subtext, SubtextError } from '@subtext/sdk'

/** Creates a client of the API. The session of the browser authenticates it. */
export const createClient = (onResponse?: (info: ResponseInfo) => void): Subtext =>
  new Subtext({ apiKey: null, baseUrl: location.origin, onResponse })

export const subtext = createClient()

/** An error of the API or of sign-in, as its response describes it. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
  }
}

/** Whether something is not part of the plan of the account. */
export const isPlanError = (error: unknown): boolean =>
  (error instanceof SubtextError || error instanceof ApiError) && error.code === 'PLAN_UPGRADE_REQUIRED'

const MINUTE_MS = 60_000

/** Says what went wrong, and when to try again where that is known. */
export function describeError(error: Error): string {
  if (!(error instanceof SubtextError)) return error.message
  if (error.status === 0) return 'The service cannot be reached. Check your network and try again.'
  if (error.code !== 'RATE_LIMITED') return error.message
  const minutes = Math.max(1, Math.ceil((error.retryAfterMs ?? MINUTE_MS) / MINUTE_MS))
  return `You have used the requests of this hour. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

interface ErrorBody {
  error?: { code?: string; message?: string }
  code?: string
  message?: string
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function send(method: Method, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: { Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const content: unknown = await response.json().catch(() => null)
  if (response.ok) return content
  const { error, code, message } = (content ?? {}) as ErrorBody
  throw new ApiError(
    response.status,
    error?.code ?? code ?? 'UNKNOWN',
    error?.message ?? message ?? 'The service did not respond as expected. Try again.',
  )
}

/** Calls a route of `/api/v1` that only sessions may use and the SDK does not have, and returns its `data`. */
export const callApi = async <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  ((await send(method, `/api/v1${path}`, body)) as { data: T }).data

/** Calls a route of `/auth`. */
export const callAuth = async <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  (await send(method, `/auth${path}`, body)) as T
