import { type Scope, ServiceError } from '@subtext/contracts'
import { type Actor, isAdmin } from '@subtext/core/context'

const BEARER = /^Bearer +(\S+)$/i

/** Request headers with every value that was sent, as in Node's `headersDistinct`. */
type SentHeaders = NodeJS.Dict<string[]>

/**
 * Returns the API key of a request, from `Authorization: Bearer` or `X-API-Key`. When both headers are present they must
 * agree, and neither may be sent twice. Throws `UNAUTHORIZED`.
 */
export function readApiKey(headers: SentHeaders): string {
  const authorization = single(headers.authorization)
  const bearer = authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? '')
  const plain = single(headers['x-api-key'])
  const key = bearer ?? plain
  if (key === undefined || (bearer !== undefined && plain !== undefined && bearer !== plain)) {
    throw new ServiceError('UNAUTHORIZED')
  }
  return key
}

function single(values: string[] | undefined): string | undefined {
  // With two values, a proxy might check one of them while we use the other.
  if (values !== undefined && values.length > 1) throw new ServiceError('UNAUTHORIZED')
  return values?.[0]
}

/** Throws `INSUFFICIENT_SCOPE` unless the key has the scope. `read` and `write` do not imply each other; `admin` implies both. */
export function assertScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.includes(scope) || isAdmin(actor)) return
  throw new ServiceError('INSUFFICIENT_SCOPE', { details: { required_scope: scope, scopes: actor.scopes } })
}
