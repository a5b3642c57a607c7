import { createBlobMonitor } from '@subtext/blobs'
import { LANES, type Lane } from '@subtext/contracts'
import { createDatabaseMetrics, createDemandMetrics, createLossCounter } from '@subtext/core/metrics'
import { countRefusedConnections, createHttpMetrics, createProcessMetrics, type Metrics } from '@subtext/runtime'

/** Creates all metrics of the API. */
export function createApiMetrics(metrics: Metrics) {
  const fallbacks = metrics.counter(
    'subtext_request_limit_fallbacks_total',
    'Requests served without a shared limit because Redis was unavailable.',
    {},
  )
  const accepted = metrics.counter('subtext_jobs_accepted_total', 'Jobs accepted, those of batches included.', {
    lane: LANES,
  })
  const connections = metrics.gauge('subtext_http_connections', 'Open connections of clients.', {})
  return {
    process: createProcessMetrics(metrics),
    http: createHttpMetrics(metrics),
    countFallback: () => fallbacks({}),
    countAccepted: (lane: Lane) => accepted({ lane }),
    countRefused: countRefusedConnections(metrics),
    observeConnections: (count: () => Promise<number>) => connections(async () => [[{}, await count()]]),
    observeDemand: createDemandMetrics(metrics),
    countLost: createLossCounter(metrics),
    database: createDatabaseMetrics(metrics),
    blobs: createBlobMonitor(metrics),
  }
}
export type ApiMetrics = ReturnType<typeof createApiMetrics>
