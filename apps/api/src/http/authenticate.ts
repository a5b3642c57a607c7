import { type Scope, ServiceError } from '@subtext/contracts'
import { type Actor, isAdmin } from '@subtext/core/context'

const BEARER = /^Bearer +(\S+)$/i

/** The request's headers with every value that was sent, as Node's `headersDistinct`. */
type SentHeaders = NodeJS.Dict<string[]>

/**
 * The key of the request: from `Authorization: Bearer` or `X-API-Key`; where both are sent they must agree, and neither may
 * be sent twice.
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
  // Who checked one of two values may not be who uses the other.
  if (values !== undefined && values.length > 1) throw new ServiceError('UNAUTHORIZED')
  return values?.[0]
}

/** Refuses what the key may not do. Reading and writing do not imply each other; admin implies both. */
export function assertScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.includes(scope) || isAdmin(actor)) return
  throw new ServiceError('INSUFFICIENT_SCOPE', { details: { required_scope: scope, scopes: actor.scopes } })
}
