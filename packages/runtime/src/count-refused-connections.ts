import type { ConnectionRefusal } from './limit-connections.ts'
import type { Metrics } from './metrics.ts'

/** Creates the counter for `onRefused`. */
export function countRefusedConnections(metrics: Metrics): (reason: ConnectionRefusal) => void {
  const count = metrics.counter(
    'subtext_http_connections_refused_total',
    'Connections closed at once because a client address, or all clients together, had too many.',
    { reason: ['address', 'total'] },
  )
  return (reason) => count({ reason })
}
