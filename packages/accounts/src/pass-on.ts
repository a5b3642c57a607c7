import type { AuthReply, AuthRequest } from './auth-request.ts'
import type { Auth } from './create-auth.ts'
import type { Endpoint } from './endpoints.ts'
import { EMAIL_NOT_VERIFIED } from './new-user.ts'
import { ADDRESS_HEADER, AUTH_PREFIX, KEEP_APPS_HEADER, NETWORK_HEADER } from './settings.ts'

export const replyWith = (json: unknown): AuthReply => ({ status: 200, headers: [], json, html: null })

const PASSED_HEADERS = ['set-cookie', 'location']

/** Lets better-auth handle a request, and returns its response without internal details. */
export async function passOn(auth: Auth, endpoint: Endpoint, request: AuthRequest): Promise<AuthReply> {
  const { baseURL } = await auth.$context
  const { path, search } = request
  const isMagicLink = endpoint.path === '/magic-link/verify'
  const isLink = isMagicLink || endpoint.path === '/verify-email' || endpoint.path === '/link'
  const response = await auth.handler(
    new Request(`${new URL(baseURL).origin}${AUTH_PREFIX}${path}${isMagicLink ? withPages(search) : search}`, {
      // The buttons of the pages for links send forms; better-auth's own endpoints take GET requests.
      method: isLink ? 'GET' : endpoint.method,
      headers: headersOf(request),
      ...(endpoint.body && { body: JSON.stringify(bodyFor(endpoint, request)) }),
    }),
  )
  const text = await response.text()
  return {
    // A form must be followed by a GET request.
    status: response.status === 302 && endpoint.method === 'POST' ? 303 : response.status,
    headers: [...response.headers]
      .filter(([name]) => PASSED_HEADERS.includes(name))
      .map(([name, value]) => [name, name === 'location' ? withOneError(value) : value]),
    json: withoutToken(response.headers.get('content-type'), text),
    html: null,
  }
}

/** Adds the pages to which a sign-in link leads, if the request names none. */
function withPages(search: string): string {
  const query = new URLSearchParams(search)
  if (!query.has('callbackURL')) query.set('callbackURL', '/')
  if (!query.has('errorCallbackURL')) query.set('errorCallbackURL', '/sign-in')
  return `?${query}`
}

function headersOf({ headers, body, address, network }: AuthRequest): Headers {
  const passed = new Headers({
    'content-type': 'application/json',
    [ADDRESS_HEADER]: address,
    [NETWORK_HEADER]: network,
  })
  if (body?.disconnectApps === false) passed.set(KEEP_APPS_HEADER, 'true')
  for (const name of ['cookie', 'origin', 'user-agent'] as const) {
    const value = headers[name]
    if (value !== undefined) passed.set(name, value)
  }
  return passed
}

/** A new password always ends all other sessions. */
const bodyFor = ({ path }: Endpoint, { body }: AuthRequest): object =>
  path === '/change-password' ? { ...body, revokeOtherSessions: true } : (body ?? {})

/**
 * Both errors mean that the provider does not vouch for the address. One of them occurs only if the address has an account,
 * which must not be revealed.
 */
const withOneError = (location: string): string =>
  location.replace(/([?&]error=)account_not_linked\b/, `$1${EMAIL_NOT_VERIFIED}`)

/** Scripts need no session token: the cookie holds it, where scripts cannot read it. */
function withoutToken(type: string | null, text: string): unknown {
  if (!type?.startsWith('application/json') || text === '') return undefined
  const json: unknown = JSON.parse(text)
  if (typeof json !== 'object' || json === null) return json
  const reply = { ...json } as { token?: unknown; session?: { token?: unknown } }
  if (typeof reply.token === 'string') reply.token = null
  if (reply.session) reply.session = { ...reply.session, token: undefined }
  return reply
}
