import type { Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { findCaller } from './identify.ts'
import { watchCaller } from './watch-caller.ts'

export interface AbortOptions {
  /** The response may take as long as the process has to stop. */
  outlastsDraining?: boolean
}

/**
 * Returns a signal that aborts when the caller disconnects, when the process begins to stop, or when the caller's key or
 * session stops being valid. In the last case its reason is the refusal.
 */
export function createAbortSignal(
  ctx: ApiContext,
  request: Request,
  response: Response,
  { outlastsDraining = false }: AbortOptions = {},
): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const { headers, headersDistinct } = request
  const actor = findCaller(response)?.actor
  // A signed link works without a key or session that could end.
  const unwatch = actor
    ? watchCaller(ctx, { apiKeyId: actor.apiKeyId, headers, headersDistinct }, (refusal) => controller.abort(refusal))
    : () => undefined
  const stop = (): void => {
    unwatch()
    ctx.draining.removeEventListener('abort', abort)
    abort()
  }
  if (!outlastsDraining) {
    if (ctx.draining.aborted) abort()
    ctx.draining.addEventListener('abort', abort)
  }
  // A caller that disconnected while the request was being prepared causes no further `close` event.
  if (response.closed) stop()
  else response.once('close', stop)
  return controller.signal
}
