import type { IncomingHttpHeaders } from 'node:http'
import { type Scope, ServiceError } from '@subtext/contracts'
import { type Actor, isAdmin, type VerifyApiKey } from '@subtext/core'

const BEARER = /^Bearer +(\S+)$/i

/** The key of the request: from `Authorization: Bearer` or `X-API-Key`; where both are sent they must agree. */
export function readApiKey(headers: IncomingHttpHeaders): string {
  const bearer = headers.authorization === undefined ? undefined : (BEARER.exec(headers.authorization)?.[1] ?? '')
  const plain = headers['x-api-key']
  const key = bearer ?? plain
  if (typeof key !== 'string' || (bearer !== undefined && plain !== undefined && bearer !== plain)) {
    throw new ServiceError('UNAUTHORIZED')
  }
  return key
}

/** Who calls, if the key may do what `scope` stands for. Reading and writing do not imply each other; admin implies both. */
export async function authenticate(verify: VerifyApiKey, headers: IncomingHttpHeaders, scope: Scope): Promise<Actor> {
  const actor = await verify(readApiKey(headers))
  if (!actor.scopes.includes(scope) && !isAdmin(actor)) {
    throw new ServiceError('INSUFFICIENT_SCOPE', { details: { required_scope: scope, scopes: actor.scopes } })
  }
  return actor
}
