import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Health } from './health.ts'
import { type MetricsServer, type Pages, pageOf, servePages } from './metrics-server.ts'

/**
 * The values of a label: all of them, or a description of where they come from. Never a key, an ID, an address or anything else
 * that callers choose.
 */
type LabelValues = readonly string[] | string
export type LabelSpec = Record<string, LabelValues>
export type MetricLabels<S extends LabelSpec> = {
  [L in keyof S]: S[L] extends readonly (infer V extends string)[] ? V : string
}

/** Adds to a counter; 1 by default. */
export type Count<S extends LabelSpec> = (labels: MetricLabels<S>, amount?: number) => void
/** Adds a duration in seconds to a histogram. */
export type Observe<S extends LabelSpec> = (labels: MetricLabels<S>, seconds: number) => void
/** Sets where a gauge gets its values. They are read whenever the metrics are requested, and left out if that fails. */
export type ReadFrom<S extends LabelSpec> = (read: () => Promise<[MetricLabels<S>, number][]>) => void

/** The description of a metric, without its values. */
export interface MetricDescription {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: LabelSpec
}

/** The metrics of a process. */
export interface Metrics {
  counter<const S extends LabelSpec>(name: string, help: string, labels: S): Count<S>
  /** Creates a gauge. It has no value until a reader is set. */
  gauge<const S extends LabelSpec>(name: string, help: string, labels: S): ReadFrom<S>
  /** Creates a histogram of durations in seconds. */
  duration<const S extends LabelSpec>(name: string, help: string, labels: S, buckets?: readonly number[]): Observe<S>
  /** Lists the metrics in the order in which they were created. */
  list(): MetricDescription[]
  /** Returns these metrics as Prometheus text. */
  render(): Promise<string>
  /**
   * Serves these metrics and those of the process itself as Prometheus text at `/metrics`, and the health checks at
   * `/health/live` and `/health/ready`. Without a port, does nothing.
   */
  serve(settings: { METRICS_PORT?: number; HOST: string }, health?: Health): Promise<MetricsServer>
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** Buckets for durations of up to minutes. */
export const LONG_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 900]

/** Series start at zero if there are at most this many: the first event would otherwise not count as an increase. */
const MAX_SERIES_FROM_ZERO = 64

/** A service that does not respond must not keep all other metrics from being read. */
const MAX_READ_MS = 1_500

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const descriptions: MetricDescription[] = []
  const describe = (type: MetricDescription['type'], name: string, help: string, labels: LabelSpec) => {
    descriptions.push({ name, type, help, labels })
    return { name, help, labelNames: Object.keys(labels), registers }
  }
  return {
    counter(name, help, labels) {
      const counter = new Counter(describe('counter', name, help, labels))
      const limit = limitSeries(labels)
      for (const series of listSeries(labels)) counter.inc(limit(series), 0)
      return (values, amount) => counter.inc(limit(values), amount)
    },
    gauge(name, help, labels) {
      let read = async (): Promise<[Record<string, string>, number][]> => []
      const limit = limitSeries(labels)
      const collect = async (): Promise<void> => {
        gauge.reset()
        // A gauge without labels would otherwise report 0, which is not a value that was read.
        if (Object.keys(labels).length === 0) gauge.remove()
        for (const [values, value] of await endIn(MAX_READ_MS, read)) gauge.set(limit(values), value)
      }
      const gauge = new Gauge({ ...describe('gauge', name, help, labels), collect })
      return (from) => {
        read = from
      }
    },
    duration(name, help, labels, buckets = SECONDS) {
      const histogram = new Histogram({ ...describe('histogram', name, help, labels), buckets: [...buckets] })
      const limit = limitSeries(labels)
      for (const series of listSeries(labels)) histogram.zero(limit(series))
      return (values, seconds) => histogram.observe(limit(values), seconds)
    },
    list: () => [...descriptions],
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
      return servePages(pages, METRICS_PORT, HOST)
    },
  }
}

/** Returns what `read` yields in time, and otherwise nothing. */
async function endIn<T>(ms: number, read: () => Promise<T[]>): Promise<T[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T[]>((resolve) => {
    timer = setTimeout(resolve, ms, [])
  })
  const reading = (async () => read())().catch(() => [])
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}

const MAX_SERIES = 1_000
const OTHER = 'other'

/**
 * Returns a function that keeps the number of series of a metric limited, whatever the labels are. Values that are not among
 * those of their label become `other`, and so do all others once there are a thousand series.
 */
function limitSeries(spec: LabelSpec): (labels: Record<string, string>) => Record<string, string> {
  const names = Object.keys(spec)
  const known = new Set<string>()
  const others = Object.fromEntries(names.map((name) => [name, OTHER]))
  const clean = (name: string, value: string): string => {
    const values = spec[name]
    return Array.isArray(values) && !values.includes(value) ? OTHER : value
  }
  return (labels) => {
    if (names.length === 0) return labels
    const cleaned = Object.fromEntries(names.map((name) => [name, clean(name, String(labels[name]))]))
    const key = JSON.stringify(cleaned)
    if (known.has(key)) return cleaned
    if (known.size >= MAX_SERIES) return others
    known.add(key)
    return cleaned
  }
}

/** Returns all combinations of labels whose values are known, unless they are many. A counter without labels starts at zero by itself. */
function listSeries(spec: LabelSpec): Record<string, string>[] {
  const combine = (
    series: Record<string, string>[],
    [name, values]: [string, LabelValues],
  ): Record<string, string>[] =>
    typeof values === 'string' ? [] : series.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
  const names = Object.entries(spec)
  const series = names.reduce(combine, names.length > 0 ? [{}] : [])
  return series.length <= MAX_SERIES_FROM_ZERO ? series : []
}
