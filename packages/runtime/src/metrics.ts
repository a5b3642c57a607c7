import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Health, HealthReport } from './health.ts'

type Labels<L extends string> = Record<L, string>

/** The metrics of a process. Labels must have few values: never a key, an id or an address. */
export interface Metrics {
  counter<L extends string = never>(
    name: string,
    help: string,
    labels: readonly L[],
  ): (labels: Labels<L>, amount?: number) => void
  /** A current value, read whenever the metrics are requested and left out if that fails. */
  gauge<L extends string = never>(
    name: string,
    help: string,
    labels: readonly L[],
    read: () => Promise<[Labels<L>, number][]>,
  ): void
  /** A histogram of durations in seconds. */
  duration<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
  ): (labels: Labels<L>, seconds: number) => void
  /** Returns these metrics as Prometheus text. */
  render(): Promise<string>
  /**
   * Serves these metrics and those of the process itself as Prometheus text at `/metrics`, and the health checks at
   * `/health/live` and `/health/ready`. Without a port, does nothing.
   */
  serve(settings: { METRICS_PORT?: number; HOST: string }, health?: Health): Promise<MetricsServer>
}

export interface MetricsServer {
  port: number | undefined
  close(): Promise<void>
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 }

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  return {
    counter(name, help, labelNames) {
      const counter = new Counter({ name, help, labelNames, registers })
      return (labels, amount) => counter.inc(labels, amount)
    },
    gauge(name, help, labelNames, read) {
      const collect = async (): Promise<void> => {
        gauge.reset()
        // A gauge without labels would otherwise report 0, which is not a value that was read.
        if (labelNames.length === 0) gauge.remove()
        for (const [labels, value] of await read().catch(() => [])) gauge.set(labels, value)
      }
      const gauge = new Gauge({ name, help, labelNames, registers, collect })
    },
    duration(name, help, labelNames) {
      const histogram = new Histogram({ name, help, labelNames, registers, buckets: SECONDS })
      return (labels, seconds) => histogram.observe(labels, seconds)
    },
    render: () => registry.metrics(),
    async serve({ METRICS_PORT, HOST }, health) {
      if (METRICS_PORT === undefined) return { port: undefined, close: async () => {} }
      collectDefaultMetrics({ register: registry })
      const pages: Pages = new Map([
        ['/metrics', async () => ({ status: 200, type: registry.contentType, text: await registry.metrics() })],
      ])
      if (health) {
        pages.set('/health/live', async () => pageOf(health.live()))
        pages.set('/health/ready', async () => pageOf(await health.ready()))
      }
      return listen(pages, METRICS_PORT, HOST)
    },
  }
}

interface Page {
  status: number
  type: string
  text: string
}
type Pages = Map<string, () => Promise<Page>>

const pageOf = ({ ok, body }: HealthReport): Page => ({
  status: ok ? 200 : 503,
  type: 'application/json',
  text: JSON.stringify(body),
})

async function listen(pages: Pages, port: number, host: string): Promise<MetricsServer> {
  const server = createServer(LIMITS, async (request, response) => {
    const render = pages.get(request.url?.split('?')[0] ?? '')
    if (!render) return response.writeHead(404).end()
    if (request.method !== 'GET') return response.writeHead(405, { Allow: 'GET' }).end()
    const { status, type, text } = await render()
    response.writeHead(status, { 'Content-Type': type }).end(text)
  })
  await once(server.listen(port, host), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
