import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ErrorEnvelope, ServiceError } from '@subtext/contracts'
import fc from 'fast-check'
import supertest from 'supertest'
import { listen, type RunningServer } from './server.ts'
import { openTestApi, type TestApi } from './testing/api.ts'
import { acceptTestBatch, acceptTestJob, completeTestJob, failTestJob } from './testing/jobs.ts'
import { type GeneratedRequest, requestsOf } from './testing/requests.ts'
import { startTestWorker } from './testing/worker.ts'

/** The same requests in every run. */
const SEED = 20_261_122
const REQUESTS = 20_000
const AT_ONCE = 8
const PLENTY = '100000000'
const RATE_HEADERS = ['limit', 'used', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`)
/** A job that did not end in time, which is what the caller asked to be told. */
const ALLOWED_ABOVE_500 = ['PROCESSING_TIMEOUT']

let api: TestApi
let server: RunningServer
let requests: GeneratedRequest[]
let stopWorker: () => Promise<void>
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

beforeAll(async () => {
  api = await openTestApi({
    ...{ RATE_LIMIT_FREE: PLENTY, RATE_LIMIT_PLUS: PLENTY, RATE_LIMIT_PRO: PLENTY },
    ...{ RATE_LIMIT_ADMIN: PLENTY, RATE_LIMIT_ADDRESS: PLENTY, WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
  server = await listen(api.app, 0, '127.0.0.1')
  const keys = [
    await api.createKey({ email: 'admin@example.org', scopes: ['admin'] }),
    await api.createKey({ email: 'pro@example.org' }),
    await api.createKey({ email: 'free@example.org', plan: 'free' }),
    await api.createKey({ email: 'pro@example.org', scopes: ['read'] }),
  ] as const
  const finished = await acceptTestJob(api.context, keys[0])
  await completeTestJob(api.context, finished)
  const failed = await acceptTestJob(api.context, keys[0])
  await failTestJob(api.context, failed, new ServiceError('VIDEO_UNAVAILABLE'))
  const foreign = await acceptTestJob(api.context, keys[1])
  await completeTestJob(api.context, foreign)
  stopWorker = startTestWorker(api.context)

  const { body: document } = await supertest(api.app).get('/api/v1/openapi.json')
  const sent = await Promise.all(
    keys
      .slice(0, 2)
      .map((key) =>
        supertest(api.app).post('/api/v1/webhooks/test').set('X-API-Key', key).send({ url: 'http://127.0.0.1:9/' }),
      ),
  )
  const deliveries = sent.map(({ body }) => body.data.delivery_id as string)
  const batches = await Promise.all(keys.slice(0, 2).map((key) => acceptTestBatch(api.context, key, 3)))
  const known = {
    ids: { batch_id: batches, job_id: [finished, failed, foreign], delivery_id: deliveries },
    keys: [...keys],
  }
  requests = fc.sample(requestsOf(document, known), { numRuns: REQUESTS, seed: SEED })
}, 60_000)
afterAll(async () => {
  await stopWorker()
  agent.destroy()
  await server.drain(0)
  await api.close()
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

function decode({ headers }: IncomingMessage, bytes: Buffer): string {
  switch (bytes.length > 0 && headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(bytes).toString()
    case 'br':
      return brotliDecompressSync(bytes).toString()
    default:
      return bytes.toString()
  }
}

const send = ({ method, target, headers, body }: GeneratedRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { port: server.port, host: '127.0.0.1', path: target, method, headers, agent }
    const sent = httpRequest(options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.once('error', reject)
      response.on('end', () => {
        const { statusCode = 0 } = response
        resolve({ status: statusCode, headers: response.headers, text: decode(response, Buffer.concat(pieces)) })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })

/** What is wrong with the answer, if anything is; its schema is judged by the test API for every answer. */
function findFault({ status, headers, text }: Answer): string | null {
  const missing = RATE_HEADERS.filter((name) => !/^\d+$/.test(String(headers[name])))
  if (missing.length > 0) return `lacks ${missing.join(', ')}`
  if (status < 400) return null
  const parsed = ErrorEnvelope.safeParse(JSON.parse(text))
  if (!parsed.success) return `has no envelope: ${text.slice(0, 200)}`
  if (status >= 500 && !ALLOWED_ABOVE_500.includes(parsed.data.error.code)) return `fails: ${text.slice(0, 300)}`
  return null
}

const show = ({ operation, method, target, headers, body }: GeneratedRequest): string =>
  `${operation}: ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.toString().slice(0, 300) ?? ''}`

test(`${REQUESTS.toLocaleString('en')} requests from the document: never an accident, always the envelope and the limits`, async () => {
  const faults: string[] = []
  const statuses = new Map<string, number>()
  const waiting = requests.values()
  const work = async (): Promise<void> => {
    for (const request of waiting) {
      const answer = await send(request).catch((error: Error) => error)
      const fault = answer instanceof Error ? `breaks off: ${answer.message}` : findFault(answer)
      if (fault !== null) faults.push(`${show(request)}\n  ${fault}`)
      const status = answer instanceof Error ? 'none' : String(answer.status)
      const kind = `${request.operation} ${status}`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(faults.slice(0, 5)).toEqual([])
  // Without this the generator could miss every handler and nobody would notice.
  for (const operation of new Set(requests.map((request) => request.operation))) {
    const succeeded = [...statuses.keys()].filter((kind) => kind.startsWith(`${operation} 2`))
    expect([operation, succeeded.length > 0]).toEqual([operation, true])
  }
}, 300_000)
