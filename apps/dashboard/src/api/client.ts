import { type ResponseInfo, Subtext, SubtextError } from '@subtext/sdk'

/** Creates a client of the API. The session of the browser authenticates it. */
export const createClient = (onResponse?: (info: ResponseInfo) => void): Subtext =>
  new Subtext({ apiKey: null, baseUrl: location.origin, onResponse })

export const subtext = createClient()

/** An error of the API or of sign-in, as its response describes it. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(status: number, code: string, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Whether something is not part of the plan of the account. */
export const isPlanError = (error: unknown): boolean =>
  (error instanceof SubtextError || error instanceof ApiError) && error.code === 'PLAN_UPGRADE_REQUIRED'

interface ErrorBody {
  error?: { code?: string; message?: string; details?: Record<string, unknown> }
  code?: string
  message?: string
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface RequestInput {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Sends a request to the service, and throws an `ApiError` for a status of 400 or more. */
export async function request(
  method: Method,
  path: string,
  { body, headers, signal }: RequestInput = {},
): Promise<Response> {
  const response = await fetch(path, {
    method,
    signal,
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (response.ok) return response
  const { error, code, message } = ((await response.json().catch(() => null)) ?? {}) as ErrorBody
  throw new ApiError(
    response.status,
    error?.code ?? code ?? 'UNKNOWN',
    error?.message ?? message ?? 'The service did not respond as expected. Try again.',
    error?.details,
  )
}

const read = async (response: Response): Promise<unknown> => response.json().catch(() => null)

/** Calls a route of `/api/v1/account`, which only sessions may use, and returns its `data`. */
export const callAccount = async <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  ((await read(await request(method, `/api/v1/account${path}`, { body }))) as { data: T }).data

/** Calls a route of `/auth`. */
export const callAuth = async <T>(method: Method, path: string, body?: unknown): Promise<T> =>
  (await read(await request(method, `/auth${path}`, { body }))) as T
