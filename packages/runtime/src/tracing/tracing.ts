import { type LogFields, readTrace, runInTrace } from '../work-context.ts'
import { formatTraceparent, newSpanId, newTraceId, parseTraceparent, type TraceContext } from './trace-context.ts'

export type AttributeValue = string | number | boolean | readonly string[]
/** Names follow the semantic conventions of OpenTelemetry where there is one, and begin with `subtext.` otherwise. */
export type Attributes = Record<string, AttributeValue | null | undefined>
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export interface SpanOptions {
  kind?: SpanKind
  attributes?: Attributes
  /** The `traceparent` to continue; null or an invalid one begins a trace. By default, the span continues the current one. */
  parent?: string | null
  /** `traceparent` of related spans. Missing and invalid ones are left out. */
  links?: readonly (string | null | undefined)[]
}

/** An operation in progress. */
export interface Span {
  /** Identifies the span to other processes. */
  readonly traceparent: string
  setAttributes(attributes: Attributes): void
  /** Marks the operation as failed, with a short name of the first reason: never a message, which may quote anything. */
  fail(reason: string): void
  /** Runs `work` as part of the span, whose ID is then on its log lines, as are `fields`. */
  run<T>(work: () => T, fields?: LogFields): T
  /** Ends the span, under another name if it was not known before. */
  end(name?: string): void
}

/** A span that has ended. Times are milliseconds since 1970. */
export interface EndedSpan {
  name: string
  kind: SpanKind
  context: TraceContext
  parentSpanId: string | null
  startedAt: number
  endedAt: number
  attributes: Attributes
  links: TraceContext[]
  failed: boolean
}

/** Decides which traces are recorded, and receives their spans. */
export interface Recorder {
  /** Returns whether to record a trace that begins in this process. */
  samples(traceId: string): boolean
  record(span: EndedSpan): void
}

let recorder: Recorder | undefined

/** Sets the recorder of the process. Without one, no span is recorded, but every trace has an ID. */
export const setRecorder = (next: Recorder | undefined): void => {
  recorder = next
}

/**
 * Returns the `traceparent` of the current span, to be passed on with work that another process does; null if there is none.
 */
export function readTraceparent(): string | null {
  const context = readTrace()
  return context ? formatTraceparent(context) : null
}

/** Runs `work` in a span, which fails if `work` throws. */
export async function withSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const span = startSpan(name, options)
  try {
    return await span.run(() => work(span))
  } catch (error) {
    span.fail(nameOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Starts a span that does not end with a function. */
export function startSpan(name: string, options: SpanOptions = {}): Span {
  const parent = options.parent === undefined ? readTrace() : parseTraceparent(options.parent)
  const traceId = parent?.traceId ?? newTraceId()
  const sampled = parent ? parent.sampled : (recorder?.samples(traceId) ?? false)
  const target = sampled ? recorder : undefined
  // A span that is not recorded needs no ID: other processes continue from the last recorded one.
  const context = parent && !target ? parent : { traceId, spanId: newSpanId(), sampled }
  const record = target ? startRecord(target, { name, context, parentSpanId: parent?.spanId ?? null }, options) : IGNORE
  return {
    ...record,
    traceparent: formatTraceparent(context),
    run: (work, fields) => runInTrace(context, { ...fields, trace_id: traceId }, work),
  }
}

type SpanRecord = Omit<Span, 'traceparent' | 'run'>
const IGNORE: SpanRecord = { setAttributes() {}, fail() {}, end() {} }

function startRecord(
  target: Recorder,
  identity: Pick<EndedSpan, 'name' | 'context' | 'parentSpanId'>,
  { kind = 'internal', attributes = {}, links = [] }: SpanOptions,
): SpanRecord {
  const startedAt = Date.now()
  const started = performance.now()
  const all = { ...attributes }
  let failed = false
  let ended = false
  return {
    setAttributes(more) {
      Object.assign(all, more)
    },
    fail(reason) {
      if (failed) return
      failed = true
      all['error.type'] = reason
    },
    end(name = identity.name) {
      if (ended) return
      ended = true
      target.record({
        ...identity,
        name,
        kind,
        startedAt,
        endedAt: startedAt + performance.now() - started,
        attributes: all,
        links: links.map(parseTraceparent).filter((link) => link !== null),
        failed,
      })
    },
  }
}

const CODE = /^[A-Z][A-Z\d_]*$/

/** Returns the code of an error, or the name of its type. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' && CODE.test(error.code) ? error.code : error.name
}
