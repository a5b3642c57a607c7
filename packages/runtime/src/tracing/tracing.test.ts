import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { readLogFields } from '../work-context.ts'
import { readOrigin } from './origin.ts'
import { startServerSpan } from './server-span.ts'
import { type EndedSpan, readTraceparent, setRecorder, startSpan, withSpan } from './tracing.ts'

const FOREIGN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'

let spans: EndedSpan[]
const record = (samples = true): void =>
  setRecorder({ samples: () => samples, record: (span) => void spans.push(span) })
beforeEach(() => {
  spans = []
})
afterEach(() => setRecorder(undefined))

describe('without a recorder', () => {
  test('every trace has an ID, which is on its log lines and passed on', async () => {
    await withSpan('request', { parent: null }, async (span) => {
      expect(span.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
      expect(readOrigin().traceparent).toBe(span.traceparent)
      expect(readLogFields().trace_id).toBe(span.traceparent.slice(3, 35))
      await withSpan('inner', {}, async (inner) => expect(inner.traceparent).toBe(span.traceparent))
    })
    expect(readTraceparent()).toBeNull()
  })

  test('the given fields are on the log lines of a span whenever it runs, and on those of its parts', async () => {
    const span = startSpan('request', { parent: null })
    const read = () => span.run(() => withSpan('inner', {}, async () => readLogFields()), { request_id: 'r-1' })
    const expected = { request_id: 'r-1', trace_id: span.traceparent.slice(3, 35) }
    expect([await read(), await read()]).toEqual([expected, expected])
    expect(readLogFields()).toEqual({})
  })

  test('a health check has log fields, but no trace', () => {
    const { run } = startServerSpan({ method: 'GET', headers: {}, url: '/health/live' } as IncomingMessage)
    expect(run(() => [readLogFields(), readTraceparent()], { request_id: 'r-1' })).toEqual([
      { request_id: 'r-1' },
      null,
    ])
  })

  test('a trace that another process records goes on with the next one that does', async () => {
    const traceparent = await withSpan('job', { parent: `${FOREIGN}-01` }, async () => readTraceparent())
    expect(traceparent).toBe(`${FOREIGN}-01`)
  })
})

test('records spans with their parents, across awaits and beside each other', async () => {
  record()
  await withSpan('job', { kind: 'consumer', parent: `${FOREIGN}-01` }, async () => {
    const part = (name: string) => withSpan(name, {}, () => sleep(1))
    await Promise.all([part('one'), part('two')])
    await withSpan('three', { attributes: { size: 3 } }, (span) => {
      span.setAttributes({ more: true, none: null })
      return part('four')
    })
  })
  const find = (name: string): EndedSpan => {
    const span = spans.find((one) => one.name === name)
    if (!span) throw new Error(`There is no span ${name}.`)
    return span
  }
  const parents = Object.fromEntries(spans.map(({ name, parentSpanId }) => [name, parentSpanId]))
  const job = find('job').context.spanId
  expect(parents).toEqual({
    one: job,
    two: job,
    three: job,
    four: find('three').context.spanId,
    job: '00f067aa0ba902b7',
  })
  expect(new Set(spans.map(({ context }) => context.traceId))).toEqual(new Set(['4bf92f3577b34da6a3ce929d0e0e4736']))
  expect(new Set(spans.map(({ context }) => context.spanId)).size).toBe(spans.length)
  expect(find('three')).toMatchObject({
    kind: 'internal',
    attributes: { size: 3, more: true, none: null },
    failed: false,
  })
})

test('records nothing of a trace that is not sampled, here or where it began', async () => {
  record(false)
  await withSpan('request', { parent: null }, () => withSpan('inner', {}, async () => {}))
  record(true)
  await withSpan('job', { parent: `${FOREIGN}-00` }, () => withSpan('inner', {}, async () => {}))
  expect(spans).toEqual([])
})

test('a span fails with the code or the type of what is thrown, and never with its message', async () => {
  record()
  const coded = Object.assign(new Error('password=hunter2'), { code: 'UPSTREAM_BLOCKED' })
  for (const thrown of [coded, new TypeError('hunter2'), 'hunter2', Object.assign(new Error(), { code: 'hunter2' })]) {
    await expect(withSpan('work', {}, () => Promise.reject(thrown))).rejects.toBe(thrown)
  }
  await withSpan('work', {}, async (span) => {
    span.fail('refused')
    span.fail('later')
  })
  const reasons = spans.map(({ attributes, failed }) => [attributes['error.type'], failed])
  expect(reasons).toEqual(
    ['UPSTREAM_BLOCKED', 'TypeError', 'unknown', 'Error', 'refused'].map((reason) => [reason, true]),
  )
})

test('a span ends once, under the name that is known at its end, with links to valid spans only', () => {
  record()
  const span = startSpan('GET', { kind: 'server', parent: null, links: [`${FOREIGN}-01`, 'nonsense', null, undefined] })
  span.end('GET /videos')
  span.end('again')
  expect(spans).toHaveLength(1)
  expect(spans[0]).toMatchObject({ name: 'GET /videos', parentSpanId: null })
  expect(spans[0]?.links).toEqual([
    { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true },
  ])
})
