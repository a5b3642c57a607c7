import { ServiceError } from '@subtext/contracts'
import { isDatabaseUnavailable } from '@subtext/core/coordination'
import type { ErrorRequestHandler } from 'express'
import type { ApiContext } from '../context.ts'
import { sendError } from './reply.ts'

const RETRY_AFTER_SECONDS = 1

/** Converts any error into one that may be shown. An unavailable database is `SERVICE_UNAVAILABLE`, not an internal error. */
export function translateError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isDatabaseUnavailable(error)) {
    return new ServiceError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  // Express throws this when it cannot decode the path.
  if (error instanceof URIError) return new ServiceError('NOT_FOUND')
  return new ServiceError('INTERNAL_ERROR', { cause: error })
}

export const handleError =
  (ctx: ApiContext): ErrorRequestHandler =>
  (thrown, _request, response, _next) => {
    const error = translateError(thrown)
    if (error.status >= 500 && error.cause !== undefined) ctx.log.error('request failed', { error: error.cause })
    // Part of the response has already been sent. Cutting the connection keeps the caller from mistaking that part for the
    // whole.
    if (response.headersSent) response.destroy()
    else sendError(ctx, response, error)
  }
