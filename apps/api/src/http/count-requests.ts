import { API_PREFIX } from '@subtext/contracts'
import type { Request, RequestHandler, Response } from 'express'
import type { ApiContext } from '../context.ts'
import { findCaller } from './identify.ts'

/** Counts each request with a valid key once it has ended. A request without a response counts as failed, like an error. */
export const countRequests =
  (ctx: ApiContext): RequestHandler =>
  (request, response, next) => {
    response.once('close', () => {
      const actor = findCaller(response)?.actor
      const succeeded = response.headersSent && response.statusCode < 400
      if (actor) ctx.requestCounter.count(actor, nameEndpoint(request, response), succeeded)
    })
    next()
  }

/** Names the route that has answered a request as the OpenAPI document does; null if none has. */
function nameEndpoint({ method, route }: Request, { statusCode }: Response): string | null {
  const path: unknown = route?.path
  if (typeof path !== 'string' || !path.startsWith(API_PREFIX) || statusCode === 405) return null
  return `${method === 'HEAD' ? 'GET' : method} ${path.slice(API_PREFIX.length).replace(/:(\w+)/g, '{$1}')}`
}
