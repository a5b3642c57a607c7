import { randomUUID } from 'node:crypto'

/** Identifies a span and the trace it belongs to, across processes (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  /** Whether the spans of the trace are recorded. */
  sampled: boolean
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZEROS = /^0+$/
const SAMPLED = 0x01
const MAX_LENGTH = 512

/** Parses a `traceparent`. Returns null if it is missing or invalid. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  if (!text || text.length > MAX_LENGTH) return null
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(text) ?? []
  // Only later versions may append fields.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (traceId === '' || ZEROS.test(traceId) || ZEROS.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 }
}

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`

// Node.js draws the random bytes of many UUIDs at once. All but six bits of a UUID are random.
export const newTraceId = (): string => randomUUID().replaceAll('-', '')
export const newSpanId = (): string => newTraceId().slice(16)
