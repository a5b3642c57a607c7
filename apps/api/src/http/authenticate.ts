import { type Scope, ServiceError } from '@subtext/contracts'
import { type Actor, isAdmin } from '@subtext/core/context'
import { isAccessToken } from '@subtext/core/oauth'
import { HOW_TO_SEND_KEY, isApiKey, readSentKey } from '@subtext/runtime'

const unauthorized = (message: string): ServiceError => new ServiceError('UNAUTHORIZED', { message })

/**
 * Returns the API key of a request, from `Authorization: Bearer` or `X-API-Key`, or the access token in the first of them.
 * Throws `UNAUTHORIZED`, which says what is wrong with the way the key was sent, for anything that does not have the form of a
 * key. `headers`: as in `headersDistinct` of Node.js. `query`: the query, where a key is ignored.
 */
export function readCredential(headers: NodeJS.Dict<string[]>, query: object = {}): string {
  const sent = readSentKey(headers)
  if (!sent) {
    const isInQuery = Object.entries(query).some(([name, value]) => isKeyName(name) || isApiKey(String(value)))
    throw unauthorized(
      `${isInQuery ? 'An API key in the query is ignored.' : 'No API key was sent.'} ${HOW_TO_SEND_KEY}`,
    )
  }
  if ('problem' in sent) throw unauthorized(sent.problem)
  const { key, header } = sent
  if (isApiKey(key) || (header === 'Authorization' && isAccessToken(key))) return key
  throw unauthorized(
    `\`${header}\` does not contain an API key. A key is \`sk_\` followed by 64 hexadecimal digits in lower case. Check that it was copied as a whole.`,
  )
}

/** Returns whether a request carries a key, valid or not. */
export const sendsApiKey = (headers: { authorization?: string | undefined; 'x-api-key'?: unknown }): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined

const isKeyName = (name: string): boolean => /^(?:(?:api|access)[_-]?)?(?:key|token)$/i.test(name)

/** What operators are told who want to change an account that they see for support. */
export const NOT_FOR_SUPPORT = 'You see this account for support. Only its owner can change it.'

/** Throws `INSUFFICIENT_SCOPE` unless the key has the scope. `read` and `write` do not imply each other; `admin` implies both. */
export function assertScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.includes(scope) || isAdmin(actor)) return
  const details = { required_scope: scope, scopes: actor.scopes }
  if (actor.session?.isSupport) {
    throw new ServiceError('INSUFFICIENT_SCOPE', { message: NOT_FOR_SUPPORT, details })
  }
  const own = actor.scopes.map((name) => `\`${name}\``).join(' and ') || 'none'
  throw new ServiceError('INSUFFICIENT_SCOPE', {
    message: `This request requires the scope \`${scope}\`. The API key has ${own}. Create a key with the scope.`,
    details,
  })
}
