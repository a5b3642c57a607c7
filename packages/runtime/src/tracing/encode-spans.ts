import type { Attributes, AttributeValue, EndedSpan, SpanKind } from './tracing.ts'

/** Numbers of the kinds in OTLP. */
const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const STATUS_UNSET = 0
const STATUS_ERROR = 2
const SAMPLED_FLAG = 1
const MAX_TEXT = 256
const SCOPE = 'subtext'

/** Returns spans in the JSON form of OTLP's `ExportTraceServiceRequest`. */
export const encodeSpans = (resource: Attributes, spans: readonly EndedSpan[]): object => ({
  resourceSpans: [
    {
      resource: { attributes: encodeAttributes(resource) },
      scopeSpans: [{ scope: { name: SCOPE }, spans: spans.map(encodeSpan) }],
    },
  ],
})

const encodeSpan = ({ context, parentSpanId, links, failed, ...span }: EndedSpan): object => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentSpanId && { parentSpanId }),
  flags: SAMPLED_FLAG,
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: toNanoseconds(span.startedAt),
  endTimeUnixNano: toNanoseconds(span.endedAt),
  attributes: encodeAttributes(span.attributes),
  links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
  status: { code: failed ? STATUS_ERROR : STATUS_UNSET },
})

/** As text: the number has more digits than a double. */
const toNanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n)

const encodeAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )

function encodeValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, MAX_TEXT) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map((item) => encodeValue(item)) } }
}
