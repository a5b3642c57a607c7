import { type Scope, ServiceError } from '@subtext/contracts'
import { isApiKey } from '@subtext/core/api-keys'
import { type Actor, isAdmin } from '@subtext/core/context'
import { isAccessToken } from '@subtext/core/oauth'

const BEARER = /^Bearer +(\S+)$/i
const HOW_TO_SEND = 'Send it as `Authorization: Bearer sk_...`.'

/** Request headers with every value that was sent, as in Node.js's `headersDistinct`. */
type SentHeaders = NodeJS.Dict<string[]>

const unauthorized = (message: string): ServiceError => new ServiceError('UNAUTHORIZED', { message })

/**
 * Returns the API key of a request, from `Authorization: Bearer` or `X-API-Key`, or the access token in the first of them.
 * When both headers are present they must agree, and neither may be sent twice. Throws `UNAUTHORIZED`, which says what is wrong with the way the key was sent, for
 * anything that does not have the form of a key. `query`: the query, where a key is ignored.
 */
export function readCredential(headers: SentHeaders, query: object = {}): string {
  const bearer = readBearer(single(headers, 'Authorization'))
  const plain = single(headers, 'X-API-Key')
  const key = bearer ?? plain
  if (key === undefined) {
    const isInQuery = Object.entries(query).some(([name, value]) => isKeyName(name) || isApiKey(String(value)))
    throw unauthorized(`${isInQuery ? 'An API key in the query is ignored.' : 'No API key was sent.'} ${HOW_TO_SEND}`)
  }
  if (bearer !== undefined && plain !== undefined && bearer !== plain) {
    throw unauthorized('`Authorization` and `X-API-Key` contain different keys. Send only one of them.')
  }
  if (isApiKey(key) || (bearer !== undefined && isAccessToken(key))) return key
  throw unauthorized(
    `What \`${bearer === undefined ? 'X-API-Key' : 'Authorization'}\` contains is not an API key, which is \`sk_\` followed by 64 hexadecimal digits in lower case. Check that it was copied as a whole.`,
  )
}

/** Returns whether a request carries a key, valid or not. */
export const sendsApiKey = (headers: { authorization?: string | undefined; 'x-api-key'?: unknown }): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined

const isKeyName = (name: string): boolean => /^(?:(?:api|access)[_-]?)?(?:key|token)$/i.test(name)

function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const [, key] = BEARER.exec(authorization) ?? []
  if (key !== undefined) return key
  if (/^Bearer\b/i.test(authorization)) {
    throw unauthorized('`Authorization: Bearer` must be followed by a space and one API key.')
  }
  throw unauthorized(`\`Authorization\` has no scheme, or another one than \`Bearer\`. ${HOW_TO_SEND}`)
}

function single(headers: SentHeaders, name: string): string | undefined {
  const values = headers[name.toLowerCase()]
  // With two values, a proxy might check one of them while we use the other.
  if (values !== undefined && values.length > 1) throw unauthorized(`\`${name}\` was sent twice. Send it once.`)
  return values?.[0]
}

/** Throws `INSUFFICIENT_SCOPE` unless the key has the scope. `read` and `write` do not imply each other; `admin` implies both. */
export function assertScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.includes(scope) || isAdmin(actor)) return
  const own = actor.scopes.map((name) => `\`${name}\``).join(' and ') || 'none'
  throw new ServiceError('INSUFFICIENT_SCOPE', {
    message: `This request requires the scope \`${scope}\`. The API key has ${own}. Create a key with the scope.`,
    details: { required_scope: scope, scopes: actor.scopes },
  })
}
