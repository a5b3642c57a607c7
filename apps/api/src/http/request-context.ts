import { AsyncResource } from 'node:async_hooks'
import { startServerSpan, withLogFields } from '@subtext/runtime'
import type { RequestHandler } from 'express'
import { v7 as newId } from 'uuid'
import type { ApiContext } from '../context.ts'

const ACCEPTED_ID = /^[A-Za-z0-9._-]{8,128}$/

/** Gives the request its ID and its trace, adds both to every log line, and logs the request when the response is complete. */
export const requestContext =
  (ctx: ApiContext): RequestHandler =>
  (request, response, next) => {
    const given = request.headers['x-request-id']
    const requestId = typeof given === 'string' && ACCEPTED_ID.test(given) ? given : newId()
    response.setHeader('X-Request-Id', requestId)
    const route = (): string => request.route?.path ?? 'unknown'
    const span = startServerSpan(request, { 'subtext.request_id': requestId })
    withLogFields({ request_id: requestId }, () =>
      span.run(() => {
        const log = AsyncResource.bind((status: number, durationMs: number) =>
          ctx.log.info('request', {
            method: request.method,
            path: route(),
            status,
            duration_ms: Math.round(durationMs),
            ...(!response.writableFinished && { aborted: true }),
          }),
        )
        ctx.metrics.http.watch(request, response, route, (status, durationMs) => {
          log(status, durationMs)
          span.endWith(route(), status)
        })
        next()
      }),
    )
  }
