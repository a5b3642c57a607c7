import { type Scope, ServiceError } from '@subtext/contracts'
import type { Actor } from '@subtext/core/context'
import type { RequestWindow } from '@subtext/queue'
import type { Request, RequestHandler, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { assertScope, readApiKey } from './authenticate.ts'
import { arrivedOverTls } from './https.ts'
import { rateLimited, setWindowHeaders, windowOf } from './rate-limit.ts'

/** Who sent a request, as far as it is known: a route that needs no key serves anybody. */
export interface Caller {
  /** Absent without a good key; `refusal` then says what a route that needs one has to answer. */
  actor?: Actor
  refusal?: unknown
  window: RequestWindow
}

const callers = new WeakMap<Response, Caller>()

/** Of a response that has passed `identify`. */
export const findCaller = (response: Response): Caller | undefined => callers.get(response)

/**
 * Finds out who calls and counts the request, so that every answer, whatever it is, carries the caller's window: that of the
 * key, or without a good one that of the address.
 */
export const identify =
  (ctx: ApiContext): RequestHandler =>
  async (request, response, next) => {
    const found = await recognise(ctx, request)
    const { who, limit } = windowOf(ctx.http.requestLimits, found.actor, request.ip)
    if (found.actor) ctx.keyUses.note(found.actor.apiKeyId)
    const { window, exceeded } = await ctx.requestLimits.count(who, limit)
    setWindowHeaders(response, window)
    callers.set(response, { ...found, window })
    if (exceeded) throw rateLimited(window)
    next()
  }

async function recognise(ctx: ApiContext, request: Request): Promise<Omit<Caller, 'window'>> {
  try {
    // A key that has travelled in the clear is not looked at: the request is refused for that.
    if (ctx.http.httpsOnly && !arrivedOverTls(request, ctx.http.trustProxyHops)) return { refusal: undefined }
    return { actor: await ctx.verifyKey(readApiKey(request.headersDistinct)) }
  } catch (refusal) {
    return { refusal }
  }
}

/** The caller as one who may do what `scope` stands for; throws why not. */
export function requireActor(response: Response, scope: Scope): { actor: Actor; window: RequestWindow } {
  const caller = callers.get(response)
  if (!caller) throw new Error('The caller was not identified.')
  const { actor, refusal, window } = caller
  if (!actor) throw refusal ?? new ServiceError('UNAUTHORIZED')
  assertScope(actor, scope)
  return { actor, window }
}
