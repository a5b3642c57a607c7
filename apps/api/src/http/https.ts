import { ServiceError } from '@subtext/contracts'
import type { Request, RequestHandler } from 'express'

/**
 * Returns whether the caller used TLS, to this process or to the outermost of `hops` trusted proxies. Each proxy appends to
 * `X-Forwarded-Proto` what it saw, or overwrites the header; a value from before the outermost proxy is the caller's own
 * claim. Express would trust the first value.
 */
export function arrivedOverTls(request: Pick<Request, 'socket' | 'headers'>, hops: number): boolean {
  if ('encrypted' in request.socket && request.socket.encrypted === true) return true
  const forwarded = request.headers['x-forwarded-proto']
  if (hops === 0 || forwarded === undefined) return false
  const values = String(forwarded).split(',')
  return values[Math.max(0, values.length - hops)]?.trim().toLowerCase() === 'https'
}

/** Refuses requests without TLS. Never redirects: that would hide that a key has just been sent unencrypted. */
export const requireHttps =
  (hops: number): RequestHandler =>
  (request, _response, next) => {
    if (!arrivedOverTls(request, hops)) throw new ServiceError('HTTPS_REQUIRED')
    next()
  }
