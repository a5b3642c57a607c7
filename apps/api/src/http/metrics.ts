import { type BlobMonitor, createBlobMonitor } from '@subtext/blobs'
import type { Metrics } from '@subtext/runtime'

export interface ApiMetrics {
  request(labels: { method: string; route: string; status: string }, seconds: number): void
  limitFallback(): void
  blobs: BlobMonitor
}

export function createApiMetrics(metrics: Metrics): ApiMetrics {
  const countFallback = metrics.counter(
    'subtext_request_limit_fallbacks_total',
    'Requests served without a shared limit because Redis was unavailable.',
    [],
  )
  return {
    request: metrics.duration('subtext_http_request_seconds', 'Time until the response was complete, by route.', [
      'method',
      'route',
      'status',
    ]),
    limitFallback: () => countFallback({}),
    blobs: createBlobMonitor(metrics),
  }
}
