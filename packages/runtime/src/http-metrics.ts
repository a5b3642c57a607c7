import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'

export interface HttpMetrics {
  /**
   * Counts a request when its response is complete, or the client has gone. `route` is asked then, and returns the path of
   * the route without any part that the client chose. `onEnd` gets the status as counted, and the duration in milliseconds.
   */
  watch(
    request: IncomingMessage,
    response: ServerResponse,
    route: () => string,
    onEnd?: (status: number, durationMs: number) => void,
  ): void
}

/** The methods that are counted by name. Clients can choose any of dozens; all others are counted as `other`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const
type Method = (typeof METHODS)[number]

const UNKNOWN_ROUTE = 'unknown'
const METHOD_NOT_ALLOWED = 405

/** Status for a client that closed the connection before there was a response. It is never sent. */
const CLIENT_GONE = 499

/** Creates the metrics of a server's requests. */
export function createHttpMetrics(metrics: Metrics): HttpMetrics {
  const seconds = metrics.duration(
    'subtext_http_request_seconds',
    'Time until the response was complete. `499` is the status of requests whose client was gone before there was a response, and `unknown` also the route of those with status `405`.',
    { method: METHODS, route: 'path of the route, or `unknown`', status: 'status of the response' },
  )
  const inProgress = metrics.gauge('subtext_http_requests_in_progress', 'Requests without a complete response.', {})
  let open = 0
  inProgress(async () => [[{}, open]])
  return {
    watch(request, response, route, onEnd) {
      const started = performance.now()
      open++
      response.once('close', () => {
        open--
        const durationMs = performance.now() - started
        const status = response.headersSent ? response.statusCode : CLIENT_GONE
        // Otherwise, a stranger who sends every method to every path could use up the series.
        const counted = status === METHOD_NOT_ALLOWED ? UNKNOWN_ROUTE : route()
        seconds({ method: request.method as Method, route: counted, status: String(status) }, durationMs / 1_000)
        onEnd?.(status, durationMs)
      })
    },
  }
}
