import { setTimeout as sleep } from 'node:timers/promises'
import { ErrorEnvelope } from '@subtext/contracts'
import { setPlan } from '@subtext/core/plans'
import supertest, { type Response, type Test } from 'supertest'
import { createApp } from '../app.ts'
import { listen, type RunningServer } from '../server.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { acceptTestJob, VIDEO_URL } from '../testing/jobs.ts'
import { refuseUnreadable } from './unreadable-requests.ts'

const LIMITS = {
  RATE_LIMIT_FREE: '60',
  RATE_LIMIT_PLUS: '300',
  RATE_LIMIT_PRO: '3000',
  RATE_LIMIT_ADMIN: '30000',
  RATE_LIMIT_ADDRESS: '1000',
}
const UNKNOWN_KEY = `sk_${'0'.repeat(64)}`

let api: TestApi
beforeAll(async () => {
  api = await openTestApi(LIMITS)
})
afterAll(() => api.close())

type App = TestApi['app']
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const getStatus = (app: App, key: string, id = '0') =>
  supertest(app).get(`/api/v1/videos/status/${id}`).set('X-API-Key', key)

interface SeenWindow {
  limit: number
  used: number
  remaining: number
  reset: number
}

/** The four headers of an answer, checked against each other. */
function windowOf({ headers }: Pick<Response, 'headers'>): SeenWindow {
  const read = (name: string): number => {
    expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/)
    return Number(headers[`x-ratelimit-${name}`])
  }
  const seen = { limit: read('limit'), used: read('used'), remaining: read('remaining'), reset: read('reset') }
  expect(seen.used + seen.remaining).toBe(seen.limit)
  expect(seen.used).toBeGreaterThan(0)
  const now = Date.now() / 1_000
  expect(seen.reset).toBeGreaterThan(now - 5)
  expect(seen.reset).toBeLessThan(now + 3_605)
  return seen
}

async function besides(env: Record<string, string>, work: (app: App) => Promise<void>): Promise<void> {
  // Another prefix: limits of its own.
  const beside = api.openBeside({ QUEUE_PREFIX: `limits-${Math.random().toString(36).slice(2)}`, ...env })
  try {
    await work(beside.app)
  } finally {
    await beside.close()
  }
}

describe('every answer carries the window', () => {
  const post = (app: App, key: string) => supertest(app).post('/api/v1/videos/process').set('X-API-Key', key)

  test.each<[number, string, (app: App, key: string) => Test]>([
    [202, 'an accepted video', (app, key) => post(app, key).send({ url: VIDEO_URL })],
    [400, 'malformed JSON', (app, key) => post(app, key).type('json').send('{')],
    [400, 'a wrong body', (app, key) => post(app, key).send({ url: 1 })],
    [401, 'no key', (app) => getStatus(app, '')],
    [401, 'an unknown key', (app) => getStatus(app, UNKNOWN_KEY)],
    [401, 'two keys', (app, key) => getStatus(app, key).set(bearer(UNKNOWN_KEY))],
    [404, 'a job that is not there', getStatus],
    [404, 'a path that is not there', (app) => supertest(app).get('/api/v1/nothing')],
    [404, 'a path that is not there, with a key', (app, key) => supertest(app).get('/nothing').set(bearer(key))],
    [404, 'a path that cannot be decoded', (app) => supertest(app).get('/api/v1/videos/status/%E0%A4%A')],
    [405, 'another method', (app) => supertest(app).delete('/api/v1/videos/process')],
    [
      405,
      'a preflight request',
      (app) => supertest(app).options('/api/v1/videos/process').set('Origin', 'https://a.b'),
    ],
    [413, 'too large a body', (app, key) => post(app, key).send({ url: 'x'.repeat(70_000) })],
    [415, 'another media type', (app, key) => post(app, key).type('text/plain').send('x')],
    [200, 'the document', (app) => supertest(app).get('/api/v1/openapi.json')],
    [200, 'the documentation', (app) => supertest(app).get('/api/v1/docs')],
  ])('%d, %s', async (status, _, request) => {
    const response = await request(api.app, await api.createKey())
    expect(response.status).toBe(status)
    windowOf(response)
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(response.headers).not.toHaveProperty('retry-after')
  })

  test('403 for a scope, a plan and plain HTTP', async () => {
    const scoped = await post(api.app, await api.createKey({ scopes: ['read'] })).send({ url: VIDEO_URL })
    expect([scoped.status, scoped.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    windowOf(scoped)
    const key = await api.createKey()
    await besides({ HTTPS_ONLY: 'true' }, async (app) => {
      const plain = await getStatus(app, key)
      expect([plain.status, plain.body.error.code]).toEqual([403, 'HTTPS_REQUIRED'])
      // The key was not looked at.
      expect(windowOf(plain).limit).toBe(1_000)
    })
  })

  test('500', async () => {
    const app = createApp({ ...api.context, accept: () => Promise.reject(new Error('x')) })
    const response = await post(app, await api.createKey()).send({ url: VIDEO_URL })
    expect(response.status).toBe(500)
    windowOf(response)
  })

  test('503 with the database away, by address; what needs no key is served', () =>
    besides({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }, async (app) => {
      const response = await getStatus(app, UNKNOWN_KEY)
      expect([response.status, response.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(windowOf(response)).toMatchObject({ limit: 1_000, used: 1 })
      expect((await supertest(app).get('/api/v1/openapi.json').set('X-API-Key', UNKNOWN_KEY)).status).toBe(200)
      expect((await supertest(app).get('/api/v1/nothing').set('X-API-Key', UNKNOWN_KEY)).status).toBe(404)
    }))
})

describe('whose window', () => {
  test.each([
    ['free', ['read'], 60],
    ['plus', ['read', 'write'], 300],
    ['pro', ['read'], 3_000],
    ['free', ['admin'], 30_000],
  ] as const)('a key of plan %s for %j has its own', async (plan, scopes, limit) => {
    const [key, other] = [await api.createKey({ plan, scopes: [...scopes] }), await api.createKey({ plan })]
    expect(windowOf(await getStatus(api.app, key))).toMatchObject({ limit, used: 1, remaining: limit - 1 })
    await getStatus(api.app, other)
    expect(windowOf(await getStatus(api.app, key))).toMatchObject({ limit, used: 2 })
    // Also where no key is needed.
    expect(windowOf(await supertest(api.app).get('/api/v1/openapi.json').set(bearer(key)))).toMatchObject({ used: 3 })
  })

  test('two keys of a user have one each', async () => {
    const email = 'two@example.org'
    const keys = [await api.createKey({ email }), await api.createKey({ email })]
    for (const key of keys) expect(windowOf(await getStatus(api.app, key)).used).toBe(1)
  })

  test('who shows no good key shares that of the address', () =>
    besides({}, async (app) => {
      const requests = [
        supertest(app).get('/api/v1/openapi.json'),
        getStatus(app, 'sk_nonsense'),
        getStatus(app, UNKNOWN_KEY),
        supertest(app).get('/nothing'),
      ]
      const used: number[] = []
      for (const request of requests) used.push(windowOf(await request).used)
      expect(used).toEqual([1, 2, 3, 4])
    }))

  const forwarded = (app: App, address: string) => supertest(app).get('/nothing').set('X-Forwarded-For', address)

  test('a forwarded address counts only behind a trusted proxy, and only what that proxy saw', async () => {
    await besides({}, async (app) => {
      await forwarded(app, '198.51.100.1')
      expect(windowOf(await forwarded(app, '198.51.100.2')).used).toBe(2)
    })
    await besides({ TRUST_PROXY_HOPS: '1' }, async (app) => {
      await forwarded(app, '198.51.100.1')
      expect(windowOf(await forwarded(app, '198.51.100.2')).used).toBe(1)
      expect(windowOf(await forwarded(app, '203.0.113.9, 198.51.100.1')).used).toBe(2)
      expect(windowOf(await forwarded(app, '198.51.100.1, 203.0.113.9')).used).toBe(1)
    })
  })

  test('addresses of an IPv6 network are one', () =>
    besides({ TRUST_PROXY_HOPS: '1' }, async (app) => {
      await forwarded(app, '2001:db8::1')
      expect(windowOf(await forwarded(app, '2001:db8::ffff')).used).toBe(2)
      expect(windowOf(await forwarded(app, '2001:db8:0:1::1')).used).toBe(1)
    }))
})

describe('over the limit', () => {
  test('429 says when to come back, and a higher plan counts within a second', async () => {
    const email = 'busy@example.org'
    await besides({ RATE_LIMIT_FREE: '2' }, async (app) => {
      const key = await api.createKey({ email, plan: 'free' })
      const jobId = await acceptTestJob(api.context, key)
      expect((await getStatus(app, key, jobId)).status).toBe(200)
      expect((await getStatus(app, key, jobId)).status).toBe(200)
      const refused = await getStatus(app, key, jobId)
      expect(refused.status).toBe(429)
      const { error } = ErrorEnvelope.parse(refused.body)
      const { reset, ...seen } = windowOf(refused)
      expect(seen).toEqual({ limit: 2, used: 2, remaining: 0 })
      expect(error).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
      expect(error.details).toEqual({ limit: 2, used: 2, reset_at: new Date(reset * 1_000).toISOString() })
      expect(refused.headers['retry-after']).toMatch(/^\d+$/)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Math.abs(Date.now() / 1_000 + Number(refused.headers['retry-after']) - reset)).toBeLessThan(5)

      await setPlan(api.context, email, 'pro')
      await sleep(1_000)
      const served = await getStatus(app, key, jobId)
      expect(served.status).toBe(200)
      expect(windowOf(served)).toMatchObject({ limit: 3_000, used: 4 })
    })
  })

  test('exactly as many as allowed are served, whatever comes at once over two processes', async () => {
    const prefix = `exact-${Date.now()}`
    const contexts = [0, 1].map(() => api.openBeside({ RATE_LIMIT_FREE: '100', QUEUE_PREFIX: prefix }))
    const servers: RunningServer[] = []
    for (const { app, context } of contexts) servers.push(await listen(app, 0, '127.0.0.1', refuseUnreadable(context)))
    const key = await api.createKey({ plan: 'free' })
    const jobId = await acceptTestJob(api.context, key)
    const statuses = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const { port } = servers[index % 2] as RunningServer
        const url = `http://127.0.0.1:${port}/api/v1/videos/status/${jobId}`
        const response = await fetch(url, { headers: bearer(key) })
        await response.arrayBuffer()
        return response.status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(900)
    for (const server of servers) await server.drain(1_000)
    for (const context of contexts) await context.close()
  }, 60_000)

  test('a flood of wrong keys is refused by address, and good keys from there are served', () =>
    besides({ RATE_LIMIT_ADDRESS: '5' }, async (app) => {
      const good = await api.createKey()
      const guess = (round: number) => `sk_${String(round).padStart(64, '0')}`
      for (let round = 0; round < 5; round++) expect((await getStatus(app, guess(round))).status).toBe(401)
      for (let round = 5; round < 10; round++) {
        const refused = await getStatus(app, guess(round))
        expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
        expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      }
      expect((await getStatus(app, '')).status).toBe(429)
      expect((await getStatus(app, good)).status).toBe(404)
      expect((await supertest(app).get('/health/live')).status).toBe(200)
    }))
})

test('with Redis away everybody is served, with numbers', () =>
  besides({ REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_FREE: '2' }, async (app) => {
    const key = await api.createKey({ plan: 'free' })
    const jobId = await acceptTestJob(api.context, key)
    const used: number[] = []
    for (let round = 0; round < 4; round++) {
      const response = await getStatus(app, key, jobId)
      expect(response.status).toBe(200)
      used.push(windowOf(response).used)
    }
    expect(used).toEqual([1, 2, 2, 2])
  }))
