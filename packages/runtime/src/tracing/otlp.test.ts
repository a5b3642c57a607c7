import { waitUntil } from '@subtext/embedded/testing'
import { startTraceCollector, type TraceCollector } from '@subtext/fakes'
import { createOtlpExporter, type OtlpExporter, type OtlpOptions } from './otlp.ts'
import { setRecorder, startSpan, withSpan } from './tracing.ts'

const HOUR_MS = 3_600_000
const PATIENCE_MS = 60_000

let collector: TraceCollector
let exporter: OtlpExporter | undefined
let counts: Record<'exported' | 'dropped', number>
let lines: string[]

beforeEach(async () => {
  collector = await startTraceCollector()
  counts = { exported: 0, dropped: 0 }
  lines = []
})
afterEach(async () => {
  setRecorder(undefined)
  await exporter?.close(0)
  exporter = undefined
  await collector.close()
})

function start(options: Partial<OtlpOptions> = {}): OtlpExporter {
  exporter = createOtlpExporter({
    url: `${collector.origin}/v1/traces`,
    headers: {},
    resource: { 'service.name': 'subtext-api' },
    ratio: 1,
    log: { info: (message) => lines.push(message), warn: (message) => lines.push(message) },
    count(outcome, spans) {
      counts[outcome] += spans
    },
    intervalMs: HOUR_MS,
    backoffMs: 1,
    ...options,
  })
  setRecorder(exporter)
  return exporter
}
const makeSpans = (count: number): void => {
  for (let nth = 0; nth < count; nth++) startSpan(`span ${nth}`, { parent: null }).end()
}

test('exports spans as a collector reads them', async () => {
  const { close } = start({ headers: { Authorization: 'Bearer of-ours' }, intervalMs: 1 })
  const attributes = { text: 'x'.repeat(1_000), whole: 3, part: 0.5, yes: true, list: ['a', 'b'], none: null }
  await withSpan('outer', { kind: 'server', parent: null, attributes }, async (span) => {
    await withSpan('inner', { kind: 'client' }, async () => {})
    span.fail('refused')
  })
  await waitUntil('the spans have arrived', () => collector.spans().length === 2)
  const [inner, outer] = collector.spans()
  expect(outer).toMatchObject({
    name: 'outer',
    kind: 2,
    parentSpanId: null,
    failed: true,
    attributes: {
      'service.name': 'subtext-api',
      text: 'x'.repeat(256),
      whole: 3,
      part: 0.5,
      yes: true,
      list: ['a', 'b'],
      'error.type': 'refused',
    },
  })
  expect(outer?.attributes).not.toHaveProperty('none')
  expect(inner).toMatchObject({
    name: 'inner',
    kind: 3,
    traceId: outer?.traceId,
    parentSpanId: outer?.spanId,
    failed: false,
  })
  expect(collector.received[0]?.headers.authorization).toBe('Bearer of-ours')
  await close(PATIENCE_MS)
  expect(counts).toEqual({ exported: 2, dropped: 0 })
})

test('exports a full batch at once, and the rest after it', async () => {
  const { close } = start()
  makeSpans(600)
  await waitUntil('the spans are exported', () => counts.exported === 600)
  await close(PATIENCE_MS)
  expect(
    collector.received.map(({ body }) => JSON.parse(body.toString()).resourceSpans[0].scopeSpans[0].spans.length),
  ).toEqual([512, 88])
})

test.each([
  ['asks to try again', { status: 503 }],
  ['asks to wait', { status: 429, headers: { 'Retry-After': '0.01' } }],
  ['breaks the connection', { instead: 'reset' as const }],
])('sends a batch again to a collector that %s', async (_, reply) => {
  collector.reply((_request, nth) => (nth < 3 ? reply : { status: 200 }))
  const { close } = start({ intervalMs: 1 })
  makeSpans(1)
  await waitUntil('the span is exported', () => counts.exported === 1)
  expect(collector.received).toHaveLength(3)
  expect(lines).toEqual([])
  await close(PATIENCE_MS)
})

test.each([
  ['refuses it for good', { status: 400 }, 1],
  ['never accepts it', { status: 503 }, 3],
  ['redirects it', { status: 307, headers: { Location: 'http://127.0.0.1:9/' } }, 1],
])('drops a batch if the collector %s, and says so once until it works again', async (_, reply, requests) => {
  collector.reply(reply)
  const { close } = start({ intervalMs: 1 })
  for (let batch = 1; batch <= 2; batch++) {
    makeSpans(1)
    await waitUntil('the span is dropped', () => counts.dropped === batch)
  }
  expect(collector.received).toHaveLength(2 * requests)
  expect(lines).toEqual(['traces not exported'])
  collector.reply({ status: 200 })
  makeSpans(1)
  await waitUntil('the span is exported', () => counts.exported === 1)
  expect(lines).toEqual(['traces not exported', 'traces exported again'])
  await close(PATIENCE_MS)
})

test('a collector that does not respond costs spans, but no memory, and does not delay the end of the process', async () => {
  collector.reply({ instead: 'hang' })
  const { close } = start()
  makeSpans(512)
  await waitUntil('the first batch is sent', () => collector.received.length === 1)
  makeSpans(5_000)
  expect(counts).toEqual({ exported: 0, dropped: 5_000 - 2_048 })
  await close(1)
  expect(counts.dropped).toBe(5_000)
})

test('records the given share of the traces', () => {
  const { samples } = start({ ratio: 0.25 })
  const sampled = Array.from({ length: 4_096 }, (_, nth) =>
    samples(`${'0'.repeat(19)}${nth.toString(16).padStart(3, '0')}${'8'.repeat(10)}`),
  )
  expect(sampled.filter(Boolean)).toHaveLength(1_024)
  expect([start({ ratio: 1 }).samples('f'.repeat(32)), start({ ratio: 0 }).samples('0'.repeat(32))]).toEqual([
    true,
    false,
  ])
})
