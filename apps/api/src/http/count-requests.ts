import type { RequestHandler } from 'express'
import type { ApiContext } from '../context.ts'
import { findCaller } from './identify.ts'

/** Counts each request with a valid key once it has ended. A request without a response counts as failed, like an error. */
export const countRequests =
  (ctx: ApiContext): RequestHandler =>
  (_request, response, next) => {
    response.once('close', () => {
      const actor = findCaller(response)?.actor
      if (actor) ctx.requestCounter.count(actor, response.headersSent && response.statusCode < 400)
    })
    next()
  }
