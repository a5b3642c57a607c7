import { randomUUID } from 'node:crypto'
import type { Express } from 'express'
import supertest from 'supertest'
import { openTestApi, type TestApi } from '../testing/api.ts'

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
let api: TestApi
let beside: ReturnType<TestApi['openBeside']>

beforeAll(async () => {
  api = await openTestApi()
  beside = api.openBeside()
})
afterAll(async () => {
  await beside.close()
  await api.close()
})

interface Submission {
  apiKey: string
  idempotencyKey?: string
  body?: unknown
  app?: Express
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

test('the same request again gets the same answer and makes nothing', async () => {
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

test('50 at once at two processes: one job; all answers are that job, or say that it is under way', async () => {
  const apiKey = await api.createKey({ plan: 'free' })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => submit({ apiKey, app: index % 2 === 0 ? api.app : beside.app })),
  )
  const accepted = answers.filter(({ status }) => status === 202)
  const underWay = answers.filter(({ status }) => status === 409)
  expect(accepted.length + underWay.length).toBe(50)
  expect(new Set(accepted.map(({ body }) => body.data.job_id)).size).toBe(1)
  expect(accepted.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
  for (const { body, headers } of underWay) {
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
])('another %s under the same key is refused', async (_, body) => {
  const apiKey = await api.createKey()
  await submit({ apiKey })
  const { status, body: answer } = await submit({ apiKey, body })
  expect([status, answer.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  expect(await jobsOf(apiKey)).toBe(1)
})

test('another route under the same key is refused', async () => {
  const apiKey = await api.createKey({ scopes: ['admin'] })
  await submit({ apiKey })
  const { status, body } = await supertest(api.app)
    .post('/api/v1/videos/process-sync?wait=1')
    .set('Authorization', `Bearer ${apiKey}`)
    .set('Idempotency-Key', 'order-1')
    .send({ url: VIDEO })
  expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('accounts do not share keys, keys of one account do', async () => {
  const [one, other] = [await api.createKey({ email: 'one@example.org' }), await api.createKey()]
  const second = await api.createKey({ email: 'one@example.org' })
  const first = await submit({ apiKey: one })
  expect((await submit({ apiKey: other })).body.data.job_id).not.toBe(first.body.data.job_id)
  expect((await submit({ apiKey: second })).body.data.job_id).toBe(first.body.data.job_id)
})

test('after 24 hours a key means another job', async () => {
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

test('a refused request leaves its key free', async () => {
  const apiKey = await api.createKey({ plan: 'free' })
  expect((await submit({ apiKey, body: { url: 'https://vimeo.com/1' } })).status).toBe(400)
  expect((await submit({ apiKey, body: { url: VIDEO, priority: 'high' } })).status).toBe(403)
  expect((await submit({ apiKey, body: { url: VIDEO, priority: 'higher' } })).status).toBe(400)
  expect((await submit({ apiKey })).status).toBe(202)
  for (const idempotencyKey of ['order-2', 'order-3']) await submit({ apiKey, idempotencyKey })
  const full = await submit({ apiKey, idempotencyKey: 'order-4' })
  expect([full.status, full.body.error.code]).toEqual([429, 'QUOTA_EXCEEDED'])
  await api.context.db.query('UPDATE quota_usage SET used = 0')
  expect((await submit({ apiKey, idempotencyKey: 'order-4' })).status).toBe(202)
  // The answer is there, whatever has become of the quota.
  await api.context.db.query('UPDATE quota_usage SET used = 3')
  expect((await submit({ apiKey })).headers['idempotent-replayed']).toBe('true')
})

test('an answer that is there is still only for those who may ask', async () => {
  const email = 'scoped@example.org'
  await submit({ apiKey: await api.createKey({ email }) })
  const reader = await api.createKey({ email, scopes: ['read'] })
  expect((await submit({ apiKey: reader })).status).toBe(403)
  expect((await submit({ apiKey: `sk_${'0'.repeat(64)}` })).status).toBe(401)
})

test.each([
  ['nothing', ''],
  ['256 characters', 'x'.repeat(256)],
  ['a letter beyond ASCII', 'é'],
  ['a tab', 'a\tb'],
])('%s is no key', async (_, idempotencyKey) => {
  const apiKey = await api.createKey()
  const { status, body } = await submit({ apiKey, idempotencyKey })
  expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([
    ...[400, 'VALIDATION_ERROR', 'Idempotency-Key'],
  ])
  expect(await jobsOf(apiKey)).toBe(0)
})

test.each(['x', 'x'.repeat(255), ' a b ', `~!@#$%^&*()'";,\\`])('%s is a key', async (idempotencyKey) => {
  const apiKey = await api.createKey()
  expect((await submit({ apiKey, idempotencyKey })).status).toBe(202)
  expect((await submit({ apiKey, idempotencyKey })).headers['idempotent-replayed']).toBe('true')
})

test('a key that is sent twice is none; a route that makes nothing does not look at it', async () => {
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

test('a store that goes away in between: 503, and sent again the request makes one job', async () => {
  const apiKey = await api.createKey()
  await submit({ apiKey, idempotencyKey: 'warm-up' })
  const process = api.openBeside()
  const { db } = process.context
  const query = db.query.bind(db)
  const idempotencyKey = randomUUID()
  for (const away of ['idempotency_keys', 'quota_usage', 'to_jsonb']) {
    db.query = ((text: string, values?: unknown[]) =>
      text.includes(away)
        ? Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }))
        : query(text, values)) as typeof db.query
    const { status } = await submit({ apiKey, idempotencyKey, app: process.app })
    // What could not be kept is no harm to the caller: the job is there.
    expect([away, status]).toEqual([away, away === 'to_jsonb' ? 202 : 503])
  }
  db.query = query
  expect(await jobsOf(apiKey)).toBe(2)
  await process.close()
})
