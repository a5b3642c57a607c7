import { ServiceError } from '@subtext/contracts'
import { clientNetwork } from '@subtext/runtime'
import { findEndpoints } from '../endpoints.ts'
import type { AccountsService } from '../service.ts'
import { AUTH_PREFIX } from '../settings.ts'

export interface ServedResponse {
  status: number
  headers: { location?: string; 'set-cookie'?: string[]; 'retry-after'?: string }
  /** The JSON of the response; for an error that the service throws, its code. */
  body: ReturnType<typeof JSON.parse>
  /** The page, where the response is one; for an error that the service throws, its message. */
  text: string
}

export interface ServedRequest {
  method: string
  /** With the query. */
  target: string
  headers: Record<string, string>
  body: object
  /** Address of the client. */
  address: string
}

/** Handles a request to `/auth` as the API does, without HTTP. */
export async function serveRequest(service: AccountsService, request: ServedRequest): Promise<ServedResponse> {
  try {
    return await handle(service, request)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { status, code, retryAfterSeconds } = error
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return { status, headers, body: { error: { code } }, text: error.message }
  }
}

async function handle(
  service: AccountsService,
  { method, target, headers, body, address }: ServedRequest,
): Promise<ServedResponse> {
  const [path = '', search] = target.slice(AUTH_PREFIX.length).split(/(?=\?.*)/s, 2)
  const endpoint = findEndpoints(path).find((each) => each.method === method.toUpperCase())
  if (!endpoint) throw new ServiceError('NOT_FOUND')
  const parsed = endpoint.body?.safeParse(body)
  if (parsed?.success === false) throw new ServiceError('VALIDATION_ERROR', { cause: parsed.error })
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const reply = await service.handle(endpoint, {
    path,
    search: search ?? '',
    headers: lowerCase,
    body: parsed?.data,
    address,
    network: clientNetwork(address),
  })
  const cookies = reply.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)
  return {
    status: reply.status,
    headers: { ...Object.fromEntries(reply.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) },
    body: reply.json ?? {},
    text: reply.html ?? '',
  }
}
