import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'

export interface ProcessMetrics {
  /** Reports the version of the process, and which of the services that it needs are up. */
  observe(version: string, health: Pick<Health, 'services'>): void
  countSpans(outcome: 'exported' | 'dropped', spans: number): void
}

/** Creates the metrics that every process has, besides those of Node.js. */
export function createProcessMetrics(metrics: Metrics): ProcessMetrics {
  const build = metrics.gauge('subtext_build_info', '1, with the version of the process as a label.', {
    version: 'value of `SUBTEXT_VERSION`, which the image sets',
  })
  const services = metrics.gauge(
    'subtext_dependency_up',
    'Whether the process can reach a service that it needs: 1 or 0. Asked at most once a second.',
    { dependency: ['postgres', 'redis', 'api'] },
  )
  const spans = metrics.counter(
    'subtext_trace_spans_total',
    'Spans of traces, by whether the collector has accepted them.',
    { outcome: ['exported', 'dropped'] },
  )
  return {
    countSpans: (outcome, number) => spans({ outcome }, number),
    observe(version, health) {
      build(async () => [[{ version }, 1]])
      services(async () =>
        Object.entries(await health.services()).map(([name, isUp]) => [
          { dependency: name as 'postgres' },
          isUp ? 1 : 0,
        ]),
      )
    },
  }
}
