import { buildOpenApi, ERRORS, ErrorEnvelope, ROUTES } from '@subtext/contracts'
import { createJobLookups } from '@subtext/core/jobs'
import supertest from 'supertest'
import { createApp } from './app.ts'
import { type TestApi, useTestApi } from './testing/api.ts'
import { acceptTestJob, VIDEO_URL } from './testing/jobs.ts'

const api = useTestApi()
let key: string
let jobId: string

beforeAll(async () => {
  key = await api.createKey()
  jobId = await acceptTestJob(api.context, key)
})

type App = TestApi['app']
const fetchStatus = (app: App) => supertest(app).get(`/api/v1/videos/status/${jobId}`).set('X-API-Key', key)
const submit = (app: App) =>
  supertest(app).post('/api/v1/videos/process').set('X-API-Key', key).send({ url: VIDEO_URL })

describe('HTTPS_ONLY', () => {
  const withHttpsOnly = (hops: string, work: (app: App) => Promise<void>) =>
    api.withEnv({ HTTPS_ONLY: 'true', TRUST_PROXY_HOPS: hops }, work)

  test('refuses plain requests without a redirect and without looking at the key', () =>
    withHttpsOnly('0', async (app) => {
      for (const path of [`/api/v1/videos/status/${jobId}`, '/api/v1/openapi.json', '/nowhere']) {
        const response = await supertest(app).get(path)
        expect(response).toBeRefused(403, 'HTTPS_REQUIRED')
        expect(response.headers).not.toHaveProperty('location')
      }
      expect((await submit(app)).status).toBe(403)
    }))

  test('uses a forwarded protocol only behind a trusted proxy', async () => {
    await withHttpsOnly('0', async (app) => {
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'https')).status).toBe(403)
    })
    await withHttpsOnly('1', async (app) => {
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'https')).status).toBe(200)
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'http')).status).toBe(403)
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'https, http')).status).toBe(403)
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'http, https')).status).toBe(200)
      expect((await fetchStatus(app).set('Forwarded', 'proto=https')).status).toBe(403)
      expect((await fetchStatus(app)).status).toBe(403)
    })
  })

  test('serves the health checks without TLS', () =>
    withHttpsOnly('0', async (app) => {
      expect((await supertest(app).get('/health/live')).status).toBe(200)
      expect((await supertest(app).get('/health/ready')).status).toBe(200)
    }))
})

describe('health checks', () => {
  test('are limited for each client address in every second', async () => {
    let now = Date.parse('2026-01-01T00:00:00.000Z')
    const http = { ...api.context.http, trustProxyHops: 1, healthChecksPerSecond: 2 }
    const app = createApp({ ...api.context, http, clock: () => new Date(now) })
    const check = (path: string, address: string) =>
      supertest(app).get(`/health/${path}`).set('X-Forwarded-For', address)
    expect((await check('live', '203.0.113.7')).status).toBe(200)
    expect((await check('ready', '203.0.113.7')).status).toBe(200)
    const refused = await check('live', '203.0.113.7')
    expect(refused).toBeRefused(429, 'RATE_LIMITED')
    expect(refused.headers['retry-after']).toBe('1')
    expect((await check('live', '203.0.113.8')).status).toBe(200)
    now += 1_000
    expect((await check('live', '203.0.113.7')).status).toBe(200)
  })

  test('are not logged one by one, unlike other requests', async () => {
    const logged: unknown[] = []
    const log = { ...api.context.log, info: (message: string, fields?: object) => logged.push([message, fields]) }
    const app = createApp({ ...api.context, log })
    for (const path of ['/health/live', '/health/ready', '/nowhere']) await supertest(app).get(path)
    expect(logged).toEqual([['request', expect.objectContaining({ status: 404 })]])
  })

  test.each(['/health/live', '/health/ready'])('answer GET and HEAD at %s and refuse other methods', async (path) => {
    expect((await supertest(api.app).head(path)).status).toBe(200)
    for (const method of ['post', 'put', 'delete'] as const) {
      const response = await supertest(api.app)[method](path)
      expect(response).toBeRefused(405, 'METHOD_NOT_ALLOWED')
      expect(response.headers.allow).toBe('GET, HEAD')
    }
  })
})

describe('an internal error', () => {
  const SECRET = 'relation "api_keys" at db.internal:5432'
  const withDatabase = (db: typeof api.context.db) => ({ db, lookups: createJobLookups(db) })

  test.each([
    ['the database', () => withDatabase({ ...api.context.db, query: () => Promise.reject(new Error(SECRET)) })],
    ['a verb of core', () => ({ accept: () => Promise.reject(new TypeError(SECRET)) })],
    ['a rejection that is not an Error', () => ({ accept: () => Promise.reject(SECRET) })],
  ])('logs a failure of %s in full and shows nothing of its cause to the caller', async (_, changes) => {
    const logged: unknown[] = []
    const log = { info() {}, warn() {}, error: (message: string, fields?: object) => logged.push([message, fields]) }
    const app = createApp({ ...api.context, log, ...changes() })
    const { status, headers, body, text } = 'accept' in changes() ? await submit(app) : await fetchStatus(app)
    expect(status).toBe(500)
    const { error, meta } = ErrorEnvelope.strict().parse(body)
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: ERRORS.INTERNAL_ERROR.message, retryable: true })
    expect(error).not.toHaveProperty('details')
    expect(headers['x-request-id']).toBe(meta.request_id)
    expect(text).not.toMatch(/api_keys|internal:|\.ts|node_modules| at /)
    expect(logged).toEqual([['request failed', { error: expect.anything() }]])
  })
})

describe('every response', () => {
  test('hides the framework and forbids content sniffing', async () => {
    for (const path of [`/api/v1/videos/status/${jobId}`, '/api/v1/openapi.json', '/nowhere', '/health/live']) {
      const { headers } = await supertest(api.app).get(path).set('X-API-Key', key)
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('etag')
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) })
    }
  })

  test('has no CORS headers and a policy that runs nothing', async () => {
    for (const path of [`/api/v1/videos/status/${jobId}`, '/nowhere', '/health/live']) {
      const { headers } = await supertest(api.app).get(path).set('X-API-Key', key).set('Origin', 'https://a.example')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
      // It has no meaning on a plain connection.
      expect(headers).not.toHaveProperty('strict-transport-security')
    }
  })

  test('carries Strict-Transport-Security where only HTTPS is served', () =>
    api.withEnv({ HTTPS_ONLY: 'true', TRUST_PROXY_HOPS: '1' }, async (app) => {
      const { headers } = await fetchStatus(app).set('X-Forwarded-Proto', 'https')
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }))

  test.each(['a'.repeat(8), 'A-Z_a.z-09', 'x'.repeat(128)])('keeps the request ID %s that it was given', async (id) => {
    const { headers, body } = await fetchStatus(api.app).set('X-Request-Id', id)
    expect([headers['x-request-id'], body.meta.request_id]).toEqual([id, id])
  })

  test.each(['a'.repeat(7), 'x'.repeat(129), 'with space', 'semi;colon', '<script>', 'ümläute-'])(
    'replaces the malformed request ID %s',
    async (id) => {
      const { headers, body } = await fetchStatus(api.app).set('X-Request-Id', id)
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      expect(headers['x-request-id']).not.toBe(id)
      expect(body.meta.request_id).toBe(headers['x-request-id'])
    },
  )
})

describe('/api/v1/openapi.json', () => {
  test('serves the document of all routes without a key', () =>
    api.withEnv({ PUBLIC_BASE_URL: 'https://api.example.org/' }, async (app) => {
      const { status, headers, body } = await supertest(app).get('/api/v1/openapi.json')
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      expect(body).toEqual(JSON.parse(JSON.stringify(buildOpenApi(ROUTES, 'https://api.example.org'))))
    }))

  test('refuses other methods', async () => {
    const response = await supertest(api.app).post('/api/v1/openapi.json')
    expect(response).toBeRefused(405, 'METHOD_NOT_ALLOWED')
    expect(response.headers.allow).toBe('GET, HEAD')
  })
})

test('builds the URLs in responses from PUBLIC_BASE_URL', () =>
  api.withEnv({ PUBLIC_BASE_URL: 'https://api.example.org/' }, async (app) => {
    const { headers, body } = await submit(app)
    expect(body.data.status_url).toBe(`https://api.example.org/api/v1/videos/status/${body.data.job_id}`)
    expect(body.data.result_url).toBe(`https://api.example.org/api/v1/videos/result/${body.data.job_id}`)
    expect(headers.location).toBe(`/api/v1/videos/status/${body.data.job_id}`)
    const refused = await supertest(app).get('/nowhere')
    expect(refused.body.error.docs_url).toBe('https://api.example.org/api/v1/docs/errors#NOT_FOUND')
  }))
