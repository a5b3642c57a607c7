import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SAMPLE_TALKS } from '@subtext/fakes'
import { fuzzRuns } from '@subtext/runtime/testing'
import { Subtext, verifyWebhook } from '@subtext/sdk'
import { useClient, watchUrl } from '@subtext/testbed'
import { usePlainSystem } from './use-plain-system.ts'

const TALK = SAMPLE_TALKS.english

const system = usePlainSystem()
const client = useClient(system)
const connect = (): Subtext => new Subtext({ apiKey: client.key, baseUrl: system.baseUrl })

test('the TypeScript client processes a video, and reads its status, its events, its documents and the list', async () => {
  const { videos } = connect()
  const result = await videos.process({ url: watchUrl(TALK.id), client_reference: 'sdk' }, { format: 'json' })
  expect(result.transcript.segments).toHaveLength(TALK.tracks[0]?.cues().length ?? 0)
  const jobId = result.job_id
  expect(await videos.status(jobId, { waitSeconds: 1 })).toMatchObject({ status: 'completed' })
  const names: string[] = []
  for await (const { event } of videos.events(jobId)) names.push(event)
  expect(names.at(-1)).toBe('completed')
  const document = await videos.document(jobId, 'srt')
  expect(document.headers.get('content-type')).toContain('application/x-subrip')
  expect(await document.text()).toContain('-->')
  for await (const job of videos.list({ status: 'completed' })) expect(job.job_id).toBe(jobId)
})

test('the TypeScript client throws the error of a video without captions, with the ID of its job', async () => {
  await expect(connect().videos.process({ url: watchUrl('doesNotXist') })).rejects.toMatchObject({
    name: 'UnprocessableError',
    jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('the TypeScript client submits a batch and waits for its results', async () => {
  const { batches } = connect()
  const urls = [TALK, SAMPLE_TALKS.hindi].map(({ id }) => watchUrl(id))
  const { batch_id } = await batches.submit({ videos: urls.map((url) => ({ url })) })
  expect(await batches.waitFor(batch_id)).toMatchObject({ status: 'completed' })
  expect((await batches.results(batch_id)).successful_jobs).toHaveLength(2)
  expect((await batches.list().page()).items[0]?.batch_id).toBe(batch_id)
})

test('the TypeScript client reads usage and quotas', async () => {
  const { usage } = connect()
  expect((await usage.current()).quotas.daily.used).toBeGreaterThan(0)
  expect((await usage.history({ granularity: 'hourly', limit: 2 })).periods).toHaveLength(2)
})

test('the TypeScript client asks about a video, at once and as a stream, and finds the conversations', async () => {
  const { videos, chat } = connect()
  const { job_id: jobId } = await videos.process({ url: watchUrl(TALK.id) })
  const answer = await chat.ask(jobId, 'What is the talk about?')
  const { conversation_id } = answer
  expect(answer).toMatchObject({ answer_kind: 'passages', citations: [{}, {}, {}] })
  let text = ''
  let citations = 0
  for await (const { event, data } of chat.stream(jobId, { message: 'And what is it about?', conversation_id })) {
    if (event === 'delta') text += data.text
    if (event === 'citation') citations++
    if (event === 'done') expect(data).toMatchObject({ conversation_id, message: { content: text } })
  }
  expect([text.length > 0, citations]).toEqual([true, 3])
  const ids: string[] = []
  for await (const { conversation_id: id } of chat.list(jobId)) ids.push(id)
  expect(ids).toEqual([conversation_id])
  expect((await chat.get(jobId, conversation_id)).messages).toHaveLength(4)
  expect((await chat.receipt(jobId, conversation_id)).total.cost_usd).toBe(0)
  expect(await chat.delete(jobId, conversation_id)).toEqual({ conversation_id, deleted: true })
  await expect(chat.get(jobId, conversation_id)).rejects.toMatchObject({ name: 'NotFoundError', jobId })
})

test('the TypeScript client verifies a delivery with the secret it rotated, and finds it in the log', async () => {
  const { webhooks, videos } = connect()
  const { secret } = await webhooks.rotateSecret()
  const { job_id: jobId } = await videos.submit({
    url: watchUrl(TALK.id),
    webhook_url: `${system.receiver.origin}/sdk`,
  })
  const { body, headers } = await system.receiver.waitFor((webhook) => webhook.body.includes(jobId))
  const event = await verifyWebhook(body, headers as Record<string, string>, secret)
  expect(event.event === 'job.completed' && event.data).toMatchObject({ job_id: jobId, format: 'json' })
  await client.follow(jobId)
  const deliveries: string[] = []
  for await (const { event_id } of webhooks.deliveries({ jobId })) deliveries.push(event_id)
  expect(deliveries).toEqual([event.id])
})

test('the TypeScript client loses no submission and makes none twice while one request in five meets a fault', async () => {
  const { key } = await system.createClient({ scopes: ['read', 'write', 'admin'] })
  const proxy = await startFaultyProxy(system.baseUrl)
  try {
    const { videos } = new Subtext({ apiKey: key, baseUrl: proxy.url, maxRetries: 12 })
    const references = Array.from({ length: fuzzRuns() / 4 }, (_, index) => `order-${index}`)
    const submitted = new Map<string, string>()
    const waiting = references.values()
    const submitNext = async (): Promise<void> => {
      for (const client_reference of waiting) {
        const { job_id } = await videos.submit({ url: watchUrl(TALK.id), client_reference })
        submitted.set(client_reference, job_id)
      }
    }
    await Promise.all(Array.from({ length: 10 }, submitNext))
    expect(proxy.faults()).toBeGreaterThan(references.length / 10)

    const { videos: direct } = new Subtext({ apiKey: key, baseUrl: system.baseUrl })
    const listed: [string, string][] = []
    for await (const { job_id, client_reference = '' } of direct.list()) listed.push([client_reference, job_id])
    expect(listed.toSorted()).toEqual([...submitted].toSorted())
    expect(listed).toHaveLength(references.length)
  } finally {
    await proxy.close()
  }
})

interface FaultyProxy {
  url: string
  faults(): number
  close(): Promise<void>
}

type Fault = 'reset before' | 'reset after' | 429 | 503
const FAULTS: Fault[] = ['reset before', 'reset after', 429, 503]

/** Starts a proxy in which every fifth request meets a fault: before it reaches the service, or when its response is ready. */
async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let requests = 0
  let faults = 0
  const server: Server = createServer((incoming, outgoing) => {
    requests++
    const fault = requests % 5 === 0 ? FAULTS[faults++ % FAULTS.length] : undefined
    if (fault === 'reset before') incoming.destroy()
    else if (typeof fault === 'number') refuse(outgoing, fault)
    else forward(target, incoming, outgoing, fault === 'reset after')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: () => faults,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refuse(outgoing: ServerResponse, status: number): void {
  const error = {
    code: status === 429 ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE',
    message: 'Try again.',
    retryable: true,
  }
  outgoing.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' })
  outgoing.end(JSON.stringify({ success: false, error, meta: {} }))
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, breakOff: boolean): void {
  const { method, headers, url } = incoming
  const onward = request(new URL(url ?? '/', target), { method, headers }, (response) => {
    if (breakOff) {
      response.resume()
      response.on('end', () => outgoing.destroy())
      return
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}
