import type { RequestHandler } from 'express'
import type { ApiContext } from '../context.ts'
import { findCaller } from './identify.ts'

/** Counts every request with a good key once it is over. Nothing was answered, or an error: it failed. */
export const countRequests =
  (ctx: ApiContext): RequestHandler =>
  (_request, response, next) => {
    response.once('close', () => {
      const actor = findCaller(response)?.actor
      if (actor) ctx.requestCounter.count(actor, response.headersSent && response.statusCode < 400)
    })
    next()
  }
