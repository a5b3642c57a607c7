import { waitUntil } from '@subtext/embedded/testing'
import { type CollectedSpan, SAMPLE_TALKS } from '@subtext/fakes'
import { watchUrl } from '@subtext/testbed'
import { useModelSystem } from './use-model-system.ts'

const [SERVER, CLIENT, PRODUCER, CONSUMER] = [2, 3, 4, 5]
/** A client's own trace: linked, but not continued. */
const GIVEN = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }

interface LogLine {
  message: string
  service: string
  job_id?: string
  request_id?: string
  trace_id?: string
}

async function readLines(): Promise<LogLine[]> {
  const lines = (await system.readLogs()).split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine)
}

/** Submits with plain `fetch`, because the headers matter here. */
async function post(path: string, body: object) {
  const client = await system.createClient()
  const response = await fetch(`${system.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${client.key}`,
      'Content-Type': 'application/json',
      traceparent: `00-${GIVEN.traceId}-${GIVEN.spanId}-01`,
    },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(202)
  const { data } = (await response.json()) as { data: { job_id: string; jobs: { job_id: string }[] } }
  return { data, requestId: response.headers.get('x-request-id') ?? '' }
}

const system = useModelSystem()

test('a trace leads from the request through the job to the calls of the model and the delivery', async () => {
  const { id } = system.addCopy(SAMPLE_TALKS.english)
  const webhook = `${system.receiver.origin}/traced`
  const { data, requestId } = await post('/videos/process', { url: watchUrl(id), webhook_url: webhook })
  await system.receiver.waitFor(({ url }) => url === '/traced')
  const job = await waitUntil('the job has a span', () =>
    system.traces.spans().find(({ attributes }) => attributes['messaging.message.id'] === data.job_id),
  )
  const spans = await waitUntil('the whole trace has arrived', () => {
    const found = system.traces.spans().filter(({ traceId }) => traceId === job.traceId)
    return (
      ['POST /api/v1/videos/process', 'deliver webhook'].every((name) => found.some((span) => span.name === name)) &&
      found
    )
  })
  const find = (wanted: string): CollectedSpan => {
    const span = spans.find(({ name }) => name === wanted)
    if (!span) throw new Error(`There is no span ${wanted}.`)
    return span
  }
  const nameOfParent = ({ parentSpanId }: CollectedSpan) => spans.find(({ spanId }) => spanId === parentSpanId)?.name
  const request = find('POST /api/v1/videos/process')
  expect(request).toMatchObject({
    kind: SERVER,
    parentSpanId: null,
    links: [GIVEN],
    attributes: {
      'service.name': 'subtext-api',
      'http.route': '/api/v1/videos/process',
      'http.response.status_code': 202,
      'subtext.request_id': requestId,
    },
  })
  expect(job).toMatchObject({
    kind: CONSUMER,
    parentSpanId: request.spanId,
    attributes: { 'service.name': 'subtext-worker', 'subtext.outcome': 'completed', 'subtext.attempt': 1 },
  })
  expect(nameOfParent(find('platform attempt'))).toBe('obtain transcript')
  const call = spans.find(({ attributes }) => attributes['gen_ai.operation.name'] === 'chat')
  expect(call).toMatchObject({
    kind: CLIENT,
    attributes: { 'gen_ai.provider.name': 'anthropic', 'gen_ai.response.finish_reasons': ['complete'] },
  })
  expect(call && nameOfParent(call)).toBe('write summaries')
  expect(call?.attributes['gen_ai.usage.input_tokens']).toBeGreaterThan(0)
  expect(find('deliver webhook')).toMatchObject({
    kind: CLIENT,
    parentSpanId: job.spanId,
    attributes: { 'service.name': 'subtext-webhooks', 'http.response.status_code': 204 },
  })
  for (const { startedAt, endedAt } of spans) expect(endedAt).toBeGreaterThanOrEqual(startedAt)

  const about = (await readLines()).filter(({ trace_id }) => trace_id === job.traceId)
  const services = Object.fromEntries(about.map((line) => [`${line.service} ${line.message}`, line]))
  expect(services['api request']).toMatchObject({ request_id: requestId })
  for (const line of ['worker job', 'webhooks attempt']) {
    expect(services[line]).toMatchObject({ request_id: requestId, job_id: data.job_id })
  }
})

test('each job of a batch has a trace of its own, which is linked to the request', async () => {
  const videos = [1, 2].map(() => ({ url: watchUrl(system.addCopy(SAMPLE_TALKS.english).id) }))
  const { data, requestId } = await post('/batch/process', { videos })
  const created = await waitUntil('the spans have arrived', () => {
    const spans = system.traces.spans()
    const request = spans.find(({ attributes }) => attributes['subtext.request_id'] === requestId)
    const found = spans.filter(({ kind, links }) => kind === PRODUCER && links[0]?.traceId === request?.traceId)
    return found.length === 2 && found
  })
  expect(new Set(created.map(({ traceId }) => traceId)).size).toBe(2)
  const jobs = await waitUntil('the jobs have spans', () => {
    const ids = data.jobs.map((job) => job.job_id)
    const found = system.traces.spans().filter((span) => ids.includes(String(span.attributes['messaging.message.id'])))
    return found.length >= 2 && found
  })
  for (const job of jobs) {
    expect(created.find(({ traceId }) => traceId === job.traceId)?.spanId).toBe(job.parentSpanId)
  }
})
