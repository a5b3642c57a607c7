import { createApiMetrics } from '@subtext/api/metrics'
import { createMcpMetrics } from '@subtext/mcp-server/metrics'
import { createMetrics, type MetricDescription, type Metrics } from '@subtext/runtime'
import { createWebhooksMetrics } from '@subtext/webhooks/metrics'
import { createWorkerMetrics } from '@subtext/worker/metrics'
import type { App } from '../settings.ts'

/** The metrics of every app, as the apps themselves create them. */
const CREATORS: Record<App, (metrics: Metrics) => unknown> = {
  api: createApiMetrics,
  worker: createWorkerMetrics,
  webhooks: createWebhooksMetrics,
  mcp: createMcpMetrics,
}

export interface CataloguedMetric extends MetricDescription {
  /** The apps that have it. */
  apps: App[]
}

/** Returns every metric of the service once. Throws if two apps describe one differently. */
export function listMetrics(): CataloguedMetric[] {
  const found = new Map<string, CataloguedMetric>()
  for (const [app, create] of Object.entries(CREATORS) as [App, (metrics: Metrics) => unknown][]) {
    const metrics = createMetrics()
    create(metrics)
    for (const metric of metrics.list()) {
      const { apps, ...known } = found.get(metric.name) ?? { ...metric, apps: [] }
      if (JSON.stringify(known) !== JSON.stringify(metric)) throw new Error(`${metric.name} has two descriptions.`)
      found.set(metric.name, { ...metric, apps: [...apps, app] })
    }
  }
  return [...found.values()]
}

/** Metrics that prom-client adds to those of every process, as far as alerts and dashboards use them. */
export const PROCESS_METRICS = [
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds',
  'nodejs_heap_size_used_bytes',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
]
