import { ServiceError } from '@subtext/contracts'
import type { Request, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { readApiKey } from './authenticate.ts'

/** With the half second that a key is remembered for, its end is noticed within a second. */
const LOOK_EVERY_MS = 400

/**
 * A signal that is aborted when the caller leaves, the process stops, or the caller's key is good no longer; its reason is
 * then the refusal.
 */
export function untilGone(ctx: ApiContext, request: Request, response: Response): AbortSignal {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  const look = (): Promise<unknown> =>
    ctx.verifyKey(readApiKey(request.headersDistinct)).catch((error: unknown) => {
      // A store that is away says nothing about the key.
      if (error instanceof ServiceError) gone.abort(error)
    })
  const watch = setInterval(look, LOOK_EVERY_MS)
  const stop = (): void => {
    clearInterval(watch)
    ctx.draining.removeEventListener('abort', leave)
    leave()
  }
  if (ctx.draining.aborted) leave()
  ctx.draining.addEventListener('abort', leave)
  // Who left while the request was prepared does not leave again.
  if (response.closed) stop()
  else response.once('close', stop)
  return gone.signal
}
