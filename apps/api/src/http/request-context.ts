import { randomFillSync } from 'node:crypto'
import { startServerSpan } from '@subtext/runtime'
import type { RequestHandler } from 'express'
import { v7 as newId } from 'uuid'
import type { ApiContext } from '../context.ts'

const RANDOM_BYTES_OF_ID = 16
/** Random bytes for many IDs: asking the operating system takes almost as long for a few as for all of these. */
const random = new Uint8Array(256 * RANDOM_BYTES_OF_ID)
let used = random.length

function takeRandomBytes(): Uint8Array {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += RANDOM_BYTES_OF_ID
  return random.subarray(used - RANDOM_BYTES_OF_ID, used)
}

const ACCEPTED_ID = /^[A-Za-z0-9._-]{8,128}$/

/** Gives the request its ID and its trace, adds both to every log line, and logs the request when the response is complete. */
export const requestContext =
  (ctx: ApiContext): RequestHandler =>
  (request, response, next) => {
    const given = request.headers['x-request-id']
    const requestId = typeof given === 'string' && ACCEPTED_ID.test(given) ? given : newId({ rng: takeRandomBytes })
    response.setHeader('X-Request-Id', requestId)
    const route = (): string => request.route?.path ?? 'unknown'
    const span = startServerSpan(request, { 'subtext.request_id': requestId })
    const fields = { request_id: requestId }
    const log = (status: number, durationMs: number): void => {
      // Every few seconds from every load balancer. A change of the state is logged once, and metrics count all of them.
      if (route().startsWith('/health/')) return
      ctx.log.info('request', {
        method: request.method,
        path: route(),
        status,
        duration_ms: Math.round(durationMs),
        ...(!response.writableFinished && { aborted: true }),
      })
    }
    ctx.metrics.http.watch(request, response, route, (status, durationMs) => {
      // If the caller has gone, this runs outside of the request's context.
      span.run(() => log(status, durationMs), fields)
      span.endWith(route(), status)
    })
    span.run(next, fields)
  }
