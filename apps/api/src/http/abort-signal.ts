import { ServiceError } from '@subtext/contracts'
import type { Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { sendsApiKey } from './authenticate.ts'
import { confirmCaller } from './identify.ts'

/** A verified key is cached for half a second; together with this interval a revocation takes effect within a second. */
const KEY_CHECK_INTERVAL_MS = 400
/** Sessions are looked up every time. */
const SESSION_CHECK_INTERVAL_MS = 900

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
  const check = (): Promise<void> =>
    confirmCaller(ctx, request).catch((error: unknown) => {
      // Any other error, such as an unavailable database, says nothing about the caller.
      if (error instanceof ServiceError) controller.abort(error)
    })
  const intervalMs = sendsApiKey(request.headers) ? KEY_CHECK_INTERVAL_MS : SESSION_CHECK_INTERVAL_MS
  const timer = setInterval(check, intervalMs)
  const stop = (): void => {
    clearInterval(timer)
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
