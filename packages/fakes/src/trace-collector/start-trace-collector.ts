import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver/start-webhook-receiver.ts'

/** A span as a collector has received it. Attributes of its process are among those of the span. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: number
  /** Nanoseconds since 1970. */
  startedAt: bigint
  endedAt: bigint
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  failed: boolean
}

/** An OpenTelemetry collector that accepts traces as OTLP/HTTP with JSON, and replies as the test says. */
export interface TraceCollector extends Pick<WebhookReceiver, 'origin' | 'received' | 'reply' | 'close'> {
  /** Returns the spans of all requests so far. Throws if one is not what the protocol wants. */
  spans(): CollectedSpan[]
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const receiver = await startWebhookReceiver()
  receiver.reply({ status: 200, body: '{"partialSuccess":{}}', headers: { 'Content-Type': 'application/json' } })
  // One list of spans for each request: tests ask again and again, and many requests may have arrived.
  const read: CollectedSpan[][] = []
  return {
    ...receiver,
    spans() {
      for (const request of receiver.received.slice(read.length)) read.push(readRequest(request))
      return read.flat()
    },
  }
}

function readRequest({ method, url, headers, body }: WebhookReceiver['received'][number]): CollectedSpan[] {
  assert(method === 'POST' && url.endsWith('/v1/traces'), `request of ${method} ${url}`)
  assert(headers['content-type'] === 'application/json', `type ${headers['content-type']}`)
  return readSpans(JSON.parse(body.toString()) as TracesData)
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}
interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  links: { traceId: string; spanId: string }[]
  status: { code: number }
}
interface TracesData {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { scope: { name: string }; spans: SentSpan[] }[]
  }[]
}

const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/
const STATUS_ERROR = 2

function assert(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(`The collector received an invalid ${problem}.`)
}

const readSpans = ({ resourceSpans }: TracesData): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(span, resource.attributes))),
  )

function readSpan(span: SentSpan, resource: Attribute[]): CollectedSpan {
  const { traceId, spanId, parentSpanId = null, links } = span
  for (const id of [traceId, ...links.map((link) => link.traceId)]) assert(TRACE_ID.test(id), `trace ID ${id}`)
  for (const id of [spanId, ...links.map((link) => link.spanId)]) assert(SPAN_ID.test(id), `span ID ${id}`)
  assert(parentSpanId === null || SPAN_ID.test(parentSpanId), `parent ${parentSpanId}`)
  assert(span.kind >= 1 && span.kind <= 5 && span.name !== '', `kind ${span.kind} or name ${span.name}`)
  const [startedAt, endedAt] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)]
  assert(startedAt > 0 && endedAt >= startedAt, `time ${startedAt} to ${endedAt}`)
  const attributes = Object.fromEntries(
    [...resource, ...span.attributes].map(({ key, value }) => [key, readValue(value)]),
  )
  const failed = span.status.code === STATUS_ERROR
  return {
    traceId,
    spanId,
    parentSpanId,
    name: span.name,
    kind: span.kind,
    startedAt,
    endedAt,
    attributes,
    links,
    failed,
  }
}

function readValue(value: Record<string, unknown>): unknown {
  const [[type, content] = []] = Object.entries(value)
  if (type === 'intValue') return Number(content)
  if (type === 'arrayValue') return (content as { values: Record<string, unknown>[] }).values.map(readValue)
  assert(['stringValue', 'doubleValue', 'boolValue'].includes(type ?? ''), `attribute of type ${type}`)
  return content
}
