import type { IncomingMessage } from 'node:http'
import { withLogFields } from '../work-context.ts'
import { type Attributes, type Span, startSpan } from './tracing.ts'

export interface ServerSpan extends Pick<Span, 'run' | 'traceparent'> {
  /** Ends the span with the path of the route and the status of the response. */
  endWith(route: string, status: number): void
}

const HEALTH = /^\/health\//

/**
 * Starts the span of a request. Clients are strangers: a trace of theirs is linked, not continued, so that they neither choose
 * our IDs nor what is recorded. Health checks have no span.
 */
export function startServerSpan(
  { method = '', headers, url = '' }: IncomingMessage,
  attributes: Attributes = {},
): ServerSpan {
  if (HEALTH.test(url))
    return { run: (work, fields = {}) => withLogFields(fields, work), traceparent: '', endWith() {} }
  const given = headers.traceparent
  const span = startSpan(method, {
    kind: 'server',
    parent: null,
    links: [typeof given === 'string' ? given : null],
    attributes: { 'http.request.method': method, ...attributes },
  })
  return {
    run: span.run,
    traceparent: span.traceparent,
    endWith(route, status) {
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
      if (status >= 500) span.fail(String(status))
      span.end(`${method} ${route}`)
    },
  }
}
