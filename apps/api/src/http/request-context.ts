import { randomUUID } from 'node:crypto'
import { withLogFields } from '@subtext/runtime'
import type { RequestHandler } from 'express'
import type { ApiContext } from '../context.ts'

const ACCEPTED_ID = /^[A-Za-z0-9._-]{8,128}$/

/** Gives the request its id, puts it on every log line, and writes one line when the answer is out. */
export const requestContext =
  (ctx: ApiContext): RequestHandler =>
  (request, response, next) => {
    const given = request.headers['x-request-id']
    const requestId = typeof given === 'string' && ACCEPTED_ID.test(given) ? given : randomUUID()
    response.setHeader('X-Request-Id', requestId)
    const started = performance.now()
    withLogFields({ request_id: requestId }, () => {
      response.once('close', () => {
        ctx.log.info('request', {
          method: request.method,
          path: request.route?.path ?? 'unknown',
          status: response.statusCode,
          duration_ms: Math.round(performance.now() - started),
          ...(!response.writableFinished && { aborted: true }),
        })
      })
      next()
    })
  }
