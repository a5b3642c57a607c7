import { setTimeout as sleep } from 'node:timers/promises'
import { setPlan } from '@subtext/core/testing'
import { fuzzRuns } from '@subtext/runtime/testing'
import supertest, { type Response, type Test } from 'supertest'
import { createApp } from '../app.ts'
import { type TestApi, useTestApi } from '../testing/api.ts'
import { acceptTestJob, VIDEO_URL } from '../testing/jobs.ts'

/** Requests of the test with concurrent ones: 200, and 1,000 in the long runs. */
const CONCURRENT = Math.min(fuzzRuns(), 1_000)
const LIMITS = {
  RATE_LIMIT_FREE: '60',
  RATE_LIMIT_PLUS: '300',
  RATE_LIMIT_PRO: '3000',
  RATE_LIMIT_ADMIN: '30000',
  RATE_LIMIT_ADDRESS: '1000',
}
/** Far more time than passes between a response and its check on a busy machine. */
const MARGIN_SECONDS = 60
const UNKNOWN_KEY = `sk_${'0'.repeat(64)}`

const api = useTestApi(LIMITS)

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

/** Returns the four headers of a response after checking them against each other. */
function windowOf({ headers }: Pick<Response, 'headers'>): SeenWindow {
  const read = (name: string): number => {
    expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/)
    return Number(headers[`x-ratelimit-${name}`])
  }
  const seen = { limit: read('limit'), used: read('used'), remaining: read('remaining'), reset: read('reset') }
  expect(seen.used + seen.remaining).toBe(seen.limit)
  expect(seen.used).toBeGreaterThan(0)
  const now = Date.now() / 1_000
  expect(seen.reset).toBeGreaterThan(now - MARGIN_SECONDS)
  expect(seen.reset).toBeLessThan(now + 3_600 + MARGIN_SECONDS)
  return seen
}

/** Runs `work` with another process of the API that has its own request limits. */
async function withEnv(env: Record<string, string>, work: (app: App) => Promise<void>): Promise<void> {
  const beside = api.openBeside({ QUEUE_PREFIX: `limits-${Math.random().toString(36).slice(2)}`, ...env })
  try {
    await work(beside.app)
  } finally {
    await beside.close()
  }
}

describe('the headers of every response', () => {
  const post = (app: App, key: string) => supertest(app).post('/api/v1/videos/process').set('X-API-Key', key)

  test.each<[number, string, (app: App, key: string) => Test]>([
    [202, 'an accepted video', (app, key) => post(app, key).send({ url: VIDEO_URL })],
    [400, 'malformed JSON', (app, key) => post(app, key).type('json').send('{')],
    [400, 'a wrong body', (app, key) => post(app, key).send({ url: 1 })],
    [401, 'no key', (app) => getStatus(app, '')],
    [401, 'an unknown key', (app) => getStatus(app, UNKNOWN_KEY)],
    [401, 'two keys that differ', (app, key) => getStatus(app, key).set(bearer(UNKNOWN_KEY))],
    [404, 'an unknown job', getStatus],
    [404, 'an unknown path', (app) => supertest(app).get('/api/v1/nothing')],
    [404, 'an unknown path with a key', (app, key) => supertest(app).get('/nothing').set(bearer(key))],
    [404, 'a path that cannot be decoded', (app) => supertest(app).get('/api/v1/videos/status/%E0%A4%A')],
    [405, 'another method', (app) => supertest(app).delete('/api/v1/videos/process')],
    [
      405,
      'a preflight request',
      (app) => supertest(app).options('/api/v1/videos/process').set('Origin', 'https://a.b'),
    ],
    [413, 'a body that is too large', (app, key) => post(app, key).send({ url: 'x'.repeat(70_000) })],
    [415, 'another media type', (app, key) => post(app, key).type('text/plain').send('x')],
    [200, 'the OpenAPI document', (app) => supertest(app).get('/api/v1/openapi.json')],
    [200, 'the documentation', (app) => supertest(app).get('/api/v1/docs')],
  ])('contain the request window with %d for %s', async (status, _, request) => {
    const response = await request(api.app, await api.createKey())
    expect(response.status).toBe(status)
    windowOf(response)
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(response.headers).not.toHaveProperty('retry-after')
  })

  test('contain the request window with 403 for a missing scope and for plain HTTP', async () => {
    const scoped = await post(api.app, await api.createKey({ scopes: ['read'] })).send({ url: VIDEO_URL })
    expect(scoped).toBeRefused(403, 'INSUFFICIENT_SCOPE')
    windowOf(scoped)
    const key = await api.createKey()
    await withEnv({ HTTPS_ONLY: 'true' }, async (app) => {
      const plain = await getStatus(app, key)
      expect(plain).toBeRefused(403, 'HTTPS_REQUIRED')
      // The key was not looked at.
      expect(windowOf(plain).limit).toBe(1_000)
    })
  })

  test('contain the request window with 500', async () => {
    const app = createApp({ ...api.context, accept: () => Promise.reject(new Error('x')) })
    const response = await post(app, await api.createKey()).send({ url: VIDEO_URL })
    expect(response.status).toBe(500)
    windowOf(response)
  })

  test('contain the window of the address with 503 without the database, while routes without a key are served', () =>
    withEnv({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }, async (app) => {
      const response = await getStatus(app, UNKNOWN_KEY)
      expect(response).toBeRefused(503, 'SERVICE_UNAVAILABLE')
      expect(windowOf(response)).toMatchObject({ limit: 1_000, used: 1 })
      expect((await supertest(app).get('/api/v1/openapi.json').set('X-API-Key', UNKNOWN_KEY)).status).toBe(200)
      expect((await supertest(app).get('/api/v1/nothing').set('X-API-Key', UNKNOWN_KEY)).status).toBe(404)
    }))
})

describe('the request window', () => {
  test.each([
    ['free', ['read'], 60],
    ['plus', ['read', 'write'], 300],
    ['pro', ['read'], 3_000],
    ['free', ['admin'], 30_000],
  ] as const)(
    'gives a key on the plan %s with the scopes %j its own window of %d requests',
    async (plan, scopes, limit) => {
      const [key, other] = [await api.createKey({ plan, scopes: [...scopes] }), await api.createKey({ plan })]
      expect(windowOf(await getStatus(api.app, key))).toMatchObject({ limit, used: 1, remaining: limit - 1 })
      await getStatus(api.app, other)
      expect(windowOf(await getStatus(api.app, key))).toMatchObject({ limit, used: 2 })
      // Routes that need no key count as well.
      expect(windowOf(await supertest(api.app).get('/api/v1/openapi.json').set(bearer(key)))).toMatchObject({ used: 3 })
    },
  )

  test('gives each key of a user its own window', async () => {
    const email = 'two@example.org'
    const keys = [await api.createKey({ email }), await api.createKey({ email })]
    for (const key of keys) expect(windowOf(await getStatus(api.app, key)).used).toBe(1)
  })

  test('counts callers without a valid key in the window of their address', () =>
    withEnv({}, async (app) => {
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

  test('uses a forwarded address only behind a trusted proxy, and only the one that the proxy saw', async () => {
    await withEnv({}, async (app) => {
      await forwarded(app, '198.51.100.1')
      expect(windowOf(await forwarded(app, '198.51.100.2')).used).toBe(2)
    })
    await withEnv({ TRUST_PROXY_HOPS: '1' }, async (app) => {
      await forwarded(app, '198.51.100.1')
      expect(windowOf(await forwarded(app, '198.51.100.2')).used).toBe(1)
      expect(windowOf(await forwarded(app, '203.0.113.9, 198.51.100.1')).used).toBe(2)
      expect(windowOf(await forwarded(app, '198.51.100.1, 203.0.113.9')).used).toBe(1)
    })
  })

  test('counts all addresses of an IPv6 network in one window', () =>
    withEnv({ TRUST_PROXY_HOPS: '1' }, async (app) => {
      await forwarded(app, '2001:db8::1')
      expect(windowOf(await forwarded(app, '2001:db8::ffff')).used).toBe(2)
      expect(windowOf(await forwarded(app, '2001:db8:0:1::1')).used).toBe(1)
    }))
})

describe('over the limit', () => {
  test('refuses requests and says when to retry, until a higher plan takes effect within a second', async () => {
    const email = 'busy@example.org'
    await withEnv({ RATE_LIMIT_FREE: '2' }, async (app) => {
      const key = await api.createKey({ email, plan: 'free' })
      const jobId = await acceptTestJob(api.context, key)
      expect((await getStatus(app, key, jobId)).status).toBe(200)
      expect((await getStatus(app, key, jobId)).status).toBe(200)
      const refused = await getStatus(app, key, jobId)
      expect(refused).toBeRefused(429, 'RATE_LIMITED')
      const { error } = refused.body
      const { reset, ...seen } = windowOf(refused)
      expect(seen).toEqual({ limit: 2, used: 2, remaining: 0 })
      expect(error.retryable).toBe(true)
      expect(error.details).toEqual({ limit: 2, used: 2, reset_at: new Date(reset * 1_000).toISOString() })
      expect(refused.headers['retry-after']).toMatch(/^\d+$/)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Math.abs(Date.now() / 1_000 + Number(refused.headers['retry-after']) - reset)).toBeLessThan(MARGIN_SECONDS)

      await setPlan(api.context, email, 'pro')
      await sleep(1_000)
      const served = await getStatus(app, key, jobId)
      expect(served.status).toBe(200)
      expect(windowOf(served)).toMatchObject({ limit: 3_000, used: 4 })
    })
  })

  test('serves exactly the allowed number of concurrent requests to two processes', async () => {
    const prefix = `exact-${Date.now()}`
    const env = { RATE_LIMIT_FREE: '100', QUEUE_PREFIX: prefix }
    const first = await api.serve(api.openBeside(env).app)
    const second = await api.serve(api.openBeside(env).app)
    const key = await api.createKey({ plan: 'free' })
    const jobId = await acceptTestJob(api.context, key)
    const statuses = await Promise.all(
      Array.from({ length: CONCURRENT }, async (_, index) => {
        const { port } = index % 2 === 0 ? first : second
        const url = `http://127.0.0.1:${port}/api/v1/videos/status/${jobId}`
        const response = await fetch(url, { headers: bearer(key) })
        await response.arrayBuffer()
        return response.status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(CONCURRENT - 100)
  })

  test('refuses invalid keys by address, and serves valid keys from the same address', () =>
    withEnv({ RATE_LIMIT_ADDRESS: '5' }, async (app) => {
      const good = await api.createKey()
      const guess = (round: number) => `sk_${String(round).padStart(64, '0')}`
      for (let round = 0; round < 5; round++) expect((await getStatus(app, guess(round))).status).toBe(401)
      for (let round = 5; round < 10; round++) {
        const refused = await getStatus(app, guess(round))
        expect(refused).toBeRefused(429, 'RATE_LIMITED')
        expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      }
      expect((await getStatus(app, '')).status).toBe(429)
      expect((await getStatus(app, good)).status).toBe(404)
      expect((await supertest(app).get('/health/live')).status).toBe(200)
    }))
})

test('serves everyone without Redis, and still sends the headers', () =>
  withEnv({ REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_FREE: '2' }, async (app) => {
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
