import { z } from 'zod'
import type { Logger } from '../logger.ts'
import { setRecorder } from './tracing.ts'

const pairs = z.string().transform((text, issue): Record<string, string> => {
  try {
    const entries = text
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map((entry) => {
        const at = entry.indexOf('=')
        if (at < 1) throw new TypeError()
        return [entry.slice(0, at).trim(), decodeURIComponent(entry.slice(at + 1).trim())]
      })
    return Object.fromEntries(entries)
  } catch {
    issue.addIssue('Must be a list of name=value, separated by commas, with values encoded as in a URL.')
    return z.NEVER
  }
})

/** Settings of every process. Names and meanings are those of OpenTelemetry. */
export const TracingEnv = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Origin of an OpenTelemetry collector that accepts OTLP over HTTP. If unset, no traces are recorded.'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs
    .optional()
    .describe('Headers for the collector, such as credentials, as name=value, separated by commas.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs
    .optional()
    .describe('Attributes of all traces, such as deployment.environment.name=production, separated by commas.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of the requests that are traced, from 0 to 1.'),
})
type TracingEnv = z.output<typeof TracingEnv>

export interface Tracing {
  /** Exports the remaining spans, for at most two seconds. */
  close(): Promise<void>
}

const CLOSE_TIMEOUT_MS = 2_000

interface TracingOptions {
  /** Name of the app. */
  app: string
  log: Pick<Logger, 'info' | 'warn'>
  /** Called with numbers of spans. */
  count: (outcome: 'exported' | 'dropped', spans: number) => void
}

/** Records traces from now on if the settings name a collector. The exporter is loaded only then. */
export async function startTracing(
  env: TracingEnv & { SUBTEXT_VERSION: string },
  { app, log, count }: TracingOptions,
): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env
  if (endpoint === undefined) return { close: async () => {} }
  const { createOtlpExporter } = await import('./otlp.ts')
  const exporter = createOtlpExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    resource: {
      'service.name': `subtext-${app}`,
      'service.namespace': 'subtext',
      'service.version': env.SUBTEXT_VERSION,
      'process.pid': process.pid,
      ...env.OTEL_RESOURCE_ATTRIBUTES,
    },
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    log,
    count,
  })
  setRecorder(exporter)
  return {
    async close() {
      setRecorder(undefined)
      await exporter.close(CLOSE_TIMEOUT_MS)
    },
  }
}
