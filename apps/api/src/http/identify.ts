import { type Scope, ServiceError } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import type { RequestWindow } from '@subtext/queue'
import type { Request, RequestHandler, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { assertScope, readApiKey } from './authenticate.ts'
import { arrivedOverTls } from './https.ts'
import { rateLimited, setWindowHeaders, windowOf } from './rate-limit.ts'

/** What is known about the sender of a request. Routes that need no key serve everybody. */
export interface Caller {
  /** Undefined without a valid key; `refusal` is then the error for routes that need one. */
  actor?: Actor
  refusal?: unknown
  window: RequestWindow
}

const callers = new WeakMap<Response, Caller>()

/** Returns the caller of a request that has passed `identify`. */
export const findCaller = (response: Response): Caller | undefined => callers.get(response)

/**
 * Identifies the caller and counts the request, so that every response carries the caller's request window: that of the key
 * or, without a valid one, that of the address.
 */
export const identify =
  (ctx: ApiContext): RequestHandler =>
  async (request, response, next) => {
    const found = await recognize(ctx, request)
    const { key, limit } = windowOf(ctx.http.requestLimits, found.actor, request.ip)
    if (found.actor) ctx.keyUses.record(found.actor.apiKeyId)
    const { window, exceeded } = await ctx.requestLimits.count(key, limit)
    setWindowHeaders(response, window)
    callers.set(response, { ...found, window })
    if (exceeded) throw rateLimited(window)
    next()
  }

async function recognize(ctx: ApiContext, request: Request): Promise<Omit<Caller, 'window'>> {
  try {
    // A key that was sent unencrypted is not looked at: the request is refused for the missing TLS.
    if (ctx.http.httpsOnly && !arrivedOverTls(request, ctx.http.trustProxyHops)) return { refusal: undefined }
    return { actor: await ctx.verifyKey(readApiKey(request.headersDistinct, request.query)) }
  } catch (refusal) {
    return { refusal }
  }
}

/** Returns the caller if it is authenticated and has the scope. Throws `UNAUTHORIZED` or `INSUFFICIENT_SCOPE`. */
export function requireActor(response: Response, scope: Scope): { actor: Actor; window: RequestWindow } {
  const caller = callers.get(response)
  if (!caller) throw new Error('requireActor was called before identify.')
  const { actor, refusal, window } = caller
  if (!actor) throw refusal ?? new ServiceError('UNAUTHORIZED')
  assertScope(actor, scope)
  return { actor, window }
}
