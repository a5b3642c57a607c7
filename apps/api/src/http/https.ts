import { ServiceError } from '@subtext/contracts'
import type { Request, RequestHandler } from 'express'

/**
 * Whether the caller spoke TLS: to us, or to the outermost of `hops` trusted proxies. Each of them appends what it saw to
 * `X-Forwarded-Proto`, or puts it in the place of what was there; a value from before the outermost is the caller's own claim.
 * Express would believe the first value.
 */
export function arrivedOverTls(request: Pick<Request, 'socket' | 'headers'>, hops: number): boolean {
  if ('encrypted' in request.socket && request.socket.encrypted === true) return true
  const forwarded = request.headers['x-forwarded-proto']
  if (hops === 0 || forwarded === undefined) return false
  const values = String(forwarded).split(',')
  return values[Math.max(0, values.length - hops)]?.trim().toLowerCase() === 'https'
}

/** Never a redirect: it would hide that a key has just travelled in the clear. */
export const requireHttps =
  (hops: number): RequestHandler =>
  (request, _response, next) => {
    if (!arrivedOverTls(request, hops)) throw new ServiceError('HTTPS_REQUIRED')
    next()
  }
