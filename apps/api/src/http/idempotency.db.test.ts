import { randomUUID } from 'node:crypto'
import { waitUntil } from '@subtext/embedded/testing'
import type { Express } from 'express'
import supertest from 'supertest'
import { type TestApi, useTestApi } from '../testing/api.ts'

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const api = useTestApi()
let beside: ReturnType<TestApi['openBeside']>

beforeAll(async () => {
  beside = api.openBeside()
})

interface Submission {
  apiKey: string
  idempotencyKey?: string
  body?: unknown
  app?: Express | string
}
const submit = ({ apiKey, idempotencyKey = 'order-1', body = { url: VIDEO }, app = api.app }: Submission) =>
  supertest(app)
    .post('/api/v1/videos/process')
    .set('Authorization', `Bearer ${apiKey}`)
    .set('Idempotency-Key', idempotencyKey)
    .send(body as object)

async function jobsOf(apiKey: string): Promise<number> {
  const { body } = await supertest(api.app).get('/api/v1/videos/').set('Authorization', `Bearer ${apiKey}`)
  return body.data.pagination.total
}

test('a repeated request gets the same response and creates nothing', async () => {
  const apiKey = await api.createKey()
  const body = { video_url: VIDEO, client_reference: 'ref', options: { language: 'de', summary_modes: ['tldr'] } }
  const first = await submit({ apiKey, body })
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([202, undefined])
  const reordered = { options: { summary_modes: ['tldr'], language: 'de' }, client_reference: 'ref', video_url: VIDEO }
  for (const app of [api.app, beside.app]) {
    const again = await submit({ apiKey, body: reordered, app })
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true'])
    expect(JSON.stringify(again.body.data)).toBe(JSON.stringify(first.body.data))
    expect(again.body.meta.warnings).toEqual(first.body.meta.warnings)
    expect(again.body.meta.request_id).not.toBe(first.body.meta.request_id)
    for (const name of ['location', 'deprecation', 'link']) expect(again.headers[name]).toBe(first.headers[name])
  }
  expect(first.body.meta.warnings).toHaveLength(1)
  expect(await jobsOf(apiKey)).toBe(1)
})

test('50 concurrent requests to two processes create one job, and all responses show it or IDEMPOTENCY_IN_PROGRESS', async () => {
  const apiKey = await api.createKey({ plan: 'free' })
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => submit({ apiKey, app: index % 2 === 0 ? api.app : beside.app })),
  )
  const accepted = responses.filter(({ status }) => status === 202)
  const inProgress = responses.filter(({ status }) => status === 409)
  expect(accepted.length + inProgress.length).toBe(50)
  expect(new Set(accepted.map(({ body }) => body.data.job_id)).size).toBe(1)
  // More than one only if a process stood still for longer than its claim lasts, and another took it over.
  expect(accepted.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).not.toHaveLength(0)
  for (const { body, headers } of inProgress) {
    expect(body.error).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', retryable: true })
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
  }
  expect(await jobsOf(apiKey)).toBe(1)
  expect((await submit({ apiKey })).headers['idempotent-replayed']).toBe('true')
})

test.each([
  ['body', { url: VIDEO, priority: 'high' }],
  ['spelling of the URL', { url: `${VIDEO}&t=1` }],
  ['name of a field', { video_url: VIDEO }],
])('refuses another %s with the same key', async (_, body) => {
  const apiKey = await api.createKey()
  await submit({ apiKey })
  expect(await submit({ apiKey, body })).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
  expect(await jobsOf(apiKey)).toBe(1)
})

test('refuses another route with the same key', async () => {
  const apiKey = await api.createKey({ scopes: ['admin'] })
  await submit({ apiKey })
  const response = await supertest(api.app)
    .post('/api/v1/videos/process-sync?wait=1')
    .set('Authorization', `Bearer ${apiKey}`)
    .set('Idempotency-Key', 'order-1')
    .send({ url: VIDEO })
  expect(response).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
})

test('idempotency keys are shared by all API keys of an account, but not between accounts', async () => {
  const [one, other] = [await api.createKey({ email: 'one@example.org' }), await api.createKey()]
  const second = await api.createKey({ email: 'one@example.org' })
  const first = await submit({ apiKey: one })
  expect((await submit({ apiKey: other })).body.data.job_id).not.toBe(first.body.data.job_id)
  expect((await submit({ apiKey: second })).body.data.job_id).toBe(first.body.data.job_id)
})

test('a key can be used for another job after 24 hours', async () => {
  const apiKey = await api.createKey()
  const first = await submit({ apiKey })
  await api.context.db.query(
    "UPDATE idempotency_keys SET created_at = created_at - interval '24 hours' WHERE resource_id = $1",
    [first.body.data.job_id],
  )
  const second = await submit({ apiKey, body: { url: VIDEO, priority: 'high' } })
  expect([second.status, second.headers['idempotent-replayed']]).toEqual([202, undefined])
  expect(second.body.data.job_id).not.toBe(first.body.data.job_id)
})

test('a refused request does not use up its key', async () => {
  const apiKey = await api.createKey({ plan: 'free' })
  expect((await submit({ apiKey, body: { url: 'https://vimeo.com/1' } })).status).toBe(400)
  expect((await submit({ apiKey, body: { url: VIDEO, priority: 'high' } })).status).toBe(403)
  expect((await submit({ apiKey, body: { url: VIDEO, priority: 'higher' } })).status).toBe(400)
  expect((await submit({ apiKey })).status).toBe(202)
  for (const idempotencyKey of ['order-2', 'order-3']) await submit({ apiKey, idempotencyKey })
  const full = await submit({ apiKey, idempotencyKey: 'order-4' })
  expect(full).toBeRefused(429, 'QUOTA_EXCEEDED')
  await api.context.db.query('UPDATE quota_usage SET used = 0')
  expect((await submit({ apiKey, idempotencyKey: 'order-4' })).status).toBe(202)
  // A stored response does not depend on the quota.
  await api.context.db.query('UPDATE quota_usage SET used = 3')
  expect((await submit({ apiKey })).headers['idempotent-replayed']).toBe('true')
})

test('a stored response is shown only to callers that may use the route', async () => {
  const email = 'scoped@example.org'
  await submit({ apiKey: await api.createKey({ email }) })
  const reader = await api.createKey({ email, scopes: ['read'] })
  expect((await submit({ apiKey: reader })).status).toBe(403)
  expect((await submit({ apiKey: `sk_${'0'.repeat(64)}` })).status).toBe(401)
})

test.each([
  ['an empty value', ''],
  ['256 characters', 'x'.repeat(256)],
  ['a letter outside ASCII', 'é'],
  ['a tab', 'a\tb'],
])('refuses %s as a key', async (_, idempotencyKey) => {
  const apiKey = await api.createKey()
  const response = await submit({ apiKey, idempotencyKey })
  expect(response).toBeRefused(400, 'VALIDATION_ERROR', 'Idempotency-Key')
  expect(await jobsOf(apiKey)).toBe(0)
})

test.each(['x', 'x'.repeat(255), ' a b ', `~!@#$%^&*()'";,\\`])('accepts %s as a key', async (idempotencyKey) => {
  const apiKey = await api.createKey()
  expect((await submit({ apiKey, idempotencyKey })).status).toBe(202)
  expect((await submit({ apiKey, idempotencyKey })).headers['idempotent-replayed']).toBe('true')
})

test('refuses a key that is sent twice, and ignores keys on routes that create nothing', async () => {
  const apiKey = await api.createKey()
  const twice = await supertest(api.app)
    .post('/api/v1/videos/process')
    .set('Authorization', `Bearer ${apiKey}`)
    .set('Idempotency-Key', ['a', 'b'] as unknown as string)
    .send({ url: VIDEO })
  expect(twice.status).toBe(400)
  const read = await supertest(api.app)
    .get('/api/v1/videos/')
    .set('Authorization', `Bearer ${apiKey}`)
    .set('Idempotency-Key', 'x'.repeat(300))
  expect(read.status).toBe(200)
})

test('a request that failed because of the database creates one job when it is repeated', async () => {
  const apiKey = await api.createKey()
  await submit({ apiKey, idempotencyKey: 'warm-up' })
  const process = api.openBeside()
  const { db } = process.context
  const query = db.query.bind(db)
  const idempotencyKey = randomUUID()
  for (const statement of ['idempotency_keys', 'quota_usage', 'to_jsonb']) {
    db.query = ((text: string, values?: unknown[]) =>
      text.includes(statement)
        ? Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }))
        : query(text, values)) as typeof db.query
    const { status } = await submit({ apiKey, idempotencyKey, app: process.app })
    // If only the response could not be stored, the job exists and the caller gets it.
    expect([statement, status]).toEqual([statement, statement === 'to_jsonb' ? 202 : 503])
  }
  db.query = query
  expect(await jobsOf(apiKey)).toBe(2)
})

test.each([
  ['the job is accepted', 'quota_usage', 0],
  ['the response is stored', 'to_jsonb', 1],
])(
  'a process that is killed before %s leaves its key to another one within seconds',
  async (_, statement, accepted) => {
    const apiKey = await api.createKey()
    const killed = api.openBeside()
    const { db } = killed.context
    const query = db.query.bind(db)
    const kill = new AbortController()
    db.query = ((text: string, values?: unknown[]) => {
      if (text.includes(statement)) kill.abort()
      // Nothing that a dead process has not sent yet reaches the database.
      return kill.signal.aborted ? new Promise(() => {}) : query(text, values)
    }) as typeof db.query
    const { port } = await api.serve(killed.app)
    const lost = submit({ apiKey, app: `http://127.0.0.1:${port}` })
    lost.catch(() => {}) // the client learns no more than that its connection broke

    try {
      await waitUntil('it is dead', () => kill.signal.aborted)
      expect(await jobsOf(apiKey)).toBe(accepted)
      const reply = await waitUntil('the key is taken over', async () => {
        const response = await submit({ apiKey })
        if (response.status === 202) return response
        expect(response).toBeRefused(409, 'IDEMPOTENCY_IN_PROGRESS')
        return null
      })
      expect(await jobsOf(apiKey)).toBe(1)
      expect((await submit({ apiKey })).body.data).toEqual(reply.body.data)
    } finally {
      lost.abort()
    }
  },
)
