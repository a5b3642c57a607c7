import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ErrorEnvelope, type Plan, ROUTES, ServiceError, tables } from '@subtext/contracts'
import { hashApiKey } from '@subtext/core/api-keys'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import supertest from 'supertest'
import type { RunningServer } from './server.ts'
import { useTestApi } from './testing/api.ts'
import { acceptTestBatch, acceptTestJob, completeTestJob, failTestJob } from './testing/jobs.ts'
import { addDeletable, addOwnedThings, needsModel, type OwnedThings, WITH_MODEL } from './testing/owned-things.ts'
import { type GeneratedRequest, type Known, requestsOf } from './testing/requests.ts'
import { createTestSession } from './testing/sessions.ts'
import { startTestWorker } from './testing/worker.ts'

/** A fixed seed, so that every run sends the same requests. */
const SEED = 20_261_122
const REQUESTS = fuzzRuns()
/** Further rounds of the same size, for operations without a successful request. */
const MAX_ROUNDS = 60
const CONCURRENCY = 8
const RATE_HEADERS = ['limit', 'used', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`)
/** A job that does not end in time is no failure of the service: the caller chose how long to wait. */
const ALLOWED_ABOVE_500 = ['PROCESSING_TIMEOUT']
/** Refused while others are being rendered. */
const TOO_MANY_PDFS = /Too many PDFs/

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
let server: RunningServer
let withModel: RunningServer
/** Generates the requests of a round. */
let generate: (round: number, only?: string[]) => GeneratedRequest[]
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })

beforeAll(async () => {
  server = await api.serve()
  withModel = await api.serve(api.openBeside(WITH_MODEL).app)
  const keys = [
    await api.createKey({ email: 'admin@example.org', scopes: ['admin'] }),
    await api.createKey({ email: 'pro@example.org' }),
    await api.createKey({ email: 'free@example.org', plan: 'free' }),
    await api.createKey({ email: 'pro@example.org', scopes: ['read'] }),
  ] as const
  const signIn = () =>
    Promise.all(
      PEOPLE.map((email) =>
        createTestSession(api, {
          email,
          plan: email.startsWith('free') ? 'free' : 'pro',
          isOperator: !email.startsWith('free'),
        }),
      ),
    )
  const people = await signIn()
  // Requests may revoke these. Without their own credentials, no later request would succeed.
  const spare = await signIn()
  const spareKeys = await Promise.all(PEOPLE.map((email) => api.createKey({ email, plan: planOf(email) })))
  const operated = await createOperated(4)
  const own = await addOwnedThings(api, keys[0])
  const foreign = await addOwnedThings(api, keys[1])
  const deletable = await addDeletables(keys[0], own)
  await completeExample(keys[0])
  const failed = await acceptTestJob(api.context, keys[0])
  await failTestJob(api.context, failed, new ServiceError('VIDEO_UNAVAILABLE'))
  startTestWorker(api)

  const { body: document } = await supertest(api.app).get('/api/v1/openapi.json')
  const known = {
    ids: {
      ...Object.fromEntries(
        (Object.keys(own) as (keyof OwnedThings)[]).map((name) => [name, [own[name], foreign[name]]]),
      ),
      account_id: operated,
      app_id: await connectApps(),
      key_id: await listKeyIds(spareKeys),
      session_id: spare.map(({ sessionId }) => sessionId),
      batch_id: [own.batch_id, await acceptTestBatch(api.context, keys[0], 3), foreign.batch_id],
      // Most operations need a job that is completed.
      job_id: [own.job_id, own.job_id, failed, foreign.job_id],
      conversation_id: [own.conversation_id, own.library_conversation_id, foreign.conversation_id],
    },
    deletable,
    keys: [...keys],
    sessions: people.map(({ headers }) => headers),
  }
  generate = (round, only) => fc.sample(requestsOf(document, known, only), { numRuns: REQUESTS, seed: SEED + round })
})
afterAll(() => agent.destroy())

/** Returns what requests may delete, by operation and placeholder. */
async function addDeletables(key: string, things: OwnedThings): Promise<Known['deletable']> {
  const deletable: Known['deletable'] = {}
  for (const { operationId, path } of ROUTES) {
    const [, name = ''] = /\{(\w+)\}$/.exec(path) ?? []
    for (let nth = 0; nth < 10; nth++) {
      const added = await addDeletable({ operationId }, { api, key, things })
      if (added === undefined) break
      deletable[operationId] = { [name]: [...(deletable[operationId]?.[name] ?? []), added] }
    }
  }
  return deletable
}

/** Completes the job that the example of a table names. */
async function completeExample(key: string): Promise<void> {
  for (const id of tables.library.example.body.job_ids) {
    await acceptTestJob(api.context, key, { id })
    await completeTestJob(api.context, id)
  }
}

/** The first one has the address that examples in the document confirm. */
const PEOPLE = ['ada@example.org', 'admin@example.org', 'pro@example.org', 'free@example.org']

/** The address that the example of deleting an account confirms. */
const OPERATED = 'bo@example.org'

const planOf = (email: string): Plan => (email.startsWith('free') ? 'free' : 'pro')

async function listKeyIds(keys: string[]): Promise<string[]> {
  const { rows } = await api.context.db.query<{ id: string }>('SELECT id FROM api_keys WHERE hash = ANY($1)', [
    keys.map(hashApiKey),
  ])
  return rows.map(({ id }) => id)
}

/** Creates accounts that operators may change, suspend and delete, because nobody else uses them. */
async function createOperated(count: number): Promise<string[]> {
  const { rows } = await api.context.db.query<{ id: string }>(
    `INSERT INTO users (id, email, plan, email_verified)
     SELECT gen_random_uuid(), CASE nth WHEN 1 THEN $2 ELSE nth || '@example.org' END, 'free', true
     FROM generate_series(1, $1) AS nth RETURNING id, email`,
    [count, OPERATED],
  )
  return rows.map(({ id }) => id)
}

/** Connects an application to each account. */
async function connectApps(): Promise<string[]> {
  const { rows } = await api.context.db.query<{ id: string }>(
    `INSERT INTO oauth_grants (id, user_id, client_id, client_name, redirect_uri, scopes, resource, created_at, expires_at)
     SELECT gen_random_uuid(), id, 'client', 'Client', 'http://127.0.0.1/', '{read}', 'http://127.0.0.1/mcp', now(), now() + '1 day'
     FROM users RETURNING id`,
  )
  return rows.map(({ id }) => id)
}

interface RawResponse {
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

const send = ({ operation, method, target, headers, body }: GeneratedRequest): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const { port } = needsModel(operation) ? withModel : server
    const options = { port, host: '127.0.0.1', path: target, method, headers, agent }
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

/** Returns what is wrong with a response, or null. The test API checks the schema of every response. */
function findProblem({ status, headers, text }: RawResponse): string | null {
  const missing = RATE_HEADERS.filter((name) => !/^\d+$/.test(String(headers[name])))
  if (missing.length > 0) return `lacks ${missing.join(', ')}`
  if (status < 400) return null
  const parsed = ErrorEnvelope.safeParse(JSON.parse(text))
  if (!parsed.success) return `has no error envelope: ${text.slice(0, 200)}`
  const { code, message } = parsed.data.error
  if (status >= 500 && !ALLOWED_ABOVE_500.includes(code) && !TOO_MANY_PDFS.test(message))
    return `fails: ${text.slice(0, 300)}`
  return null
}

const show = ({ operation, method, target, headers, body }: GeneratedRequest): string =>
  `${operation}: ${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.toString().slice(0, 300) ?? ''}`

test(`responds to ${REQUESTS.toLocaleString('en')} generated requests with the envelope and limits, and never fails`, async () => {
  const problems: string[] = []
  /** Operations that had requests, and whether one of them succeeded. */
  const succeeded = new Map<string, boolean>()
  const sendOne = async (request: GeneratedRequest): Promise<void> => {
    const { operation } = request
    const received = await send(request).catch((error: Error) => error)
    const problem = received instanceof Error ? `breaks off: ${received.message}` : findProblem(received)
    if (problem !== null) problems.push(`${show(request)}\n  ${problem}`)
    const ok = !(received instanceof Error) && received.status < 300
    succeeded.set(operation, ok || succeeded.get(operation) === true)
  }
  const sendAll = async (requests: GeneratedRequest[]): Promise<void> => {
    const queue = requests.values()
    const work = async (): Promise<void> => {
      for (const request of queue) await sendOne(request)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }
  await sendAll(generate(0))
  // Otherwise a generator that never reaches the handler of an operation would go unnoticed.
  const unserved = () => [...succeeded].filter(([, ok]) => !ok).map(([operation]) => operation)
  for (let round = 1; unserved().length > 0 && round < MAX_ROUNDS; round++) {
    await sendAll(generate(round, unserved()))
  }
  expect(problems.slice(0, 5)).toEqual([])
  expect(unserved()).toEqual([])
}, 1_800_000)
