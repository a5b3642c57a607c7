import { createServer, type Socket } from 'node:net'
import { buildOpenApi, ERRORS, ErrorEnvelope } from '@subtext/contracts'
import supertest from 'supertest'
import { createApp } from './app.ts'
import { DATABASE_TIMEOUTS } from './context.ts'
import { ROUTES } from './routes.ts'
import { openTestApi, type TestApi } from './testing/api.ts'
import { acceptTestJob, VIDEO_URL } from './testing/jobs.ts'

let api: TestApi
let key: string
let jobId: string

beforeAll(async () => {
  api = await openTestApi()
  key = await api.createKey()
  jobId = await acceptTestJob(api.context, key)
})
afterAll(() => api.close())

type App = TestApi['app']
const fetchStatus = (app: App) => supertest(app).get(`/api/v1/videos/status/${jobId}`).set('X-API-Key', key)
const submit = (app: App) =>
  supertest(app).post('/api/v1/videos/process').set('X-API-Key', key).send({ url: VIDEO_URL })

/** The API in other surroundings, for as long as `work` runs. */
async function withEnv(env: Record<string, string>, work: (app: App) => Promise<void>): Promise<void> {
  const beside = api.openBeside(env, DATABASE_TIMEOUTS)
  try {
    await work(beside.app)
  } finally {
    await beside.close()
  }
}

// Stands first: the client's timers outlive its end by two seconds, which would hold up the end of the run.
test('with Redis away jobs are accepted all the same, and readiness says what is away', () =>
  withEnv({ REDIS_URL: 'redis://127.0.0.1:1' }, async (app) => {
    const started = performance.now()
    expect((await submit(app)).status).toBe(202)
    expect((await fetchStatus(app).query({ wait: '1' })).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(5_000)
    const { status, body } = await supertest(app).get('/health/ready')
    expect([status, body]).toEqual([200, { status: 'degraded', away: ['redis'] }])
  }))

describe('HTTPS_ONLY', () => {
  const secured = (hops: string, work: (app: App) => Promise<void>) =>
    withEnv({ HTTPS_ONLY: 'true', TRUST_PROXY_HOPS: hops }, work)

  test('refuses plain requests, never redirects them, and does not look at the key', () =>
    secured('0', async (app) => {
      for (const path of [`/api/v1/videos/status/${jobId}`, '/api/v1/openapi.json', '/nowhere']) {
        const { status, headers, body } = await supertest(app).get(path)
        expect([path, status, ErrorEnvelope.parse(body).error.code]).toEqual([path, 403, 'HTTPS_REQUIRED'])
        expect(headers).not.toHaveProperty('location')
      }
      expect((await submit(app)).status).toBe(403)
    }))

  test('a forwarded protocol counts only behind a trusted proxy', async () => {
    await secured('0', async (app) => {
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'https')).status).toBe(403)
    })
    await secured('1', async (app) => {
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'https')).status).toBe(200)
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'http')).status).toBe(403)
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'https, http')).status).toBe(403)
      expect((await fetchStatus(app).set('X-Forwarded-Proto', 'http, https')).status).toBe(200)
      expect((await fetchStatus(app).set('Forwarded', 'proto=https')).status).toBe(403)
      expect((await fetchStatus(app)).status).toBe(403)
    })
  })

  test('leaves the health checks to whoever stands beside', () =>
    secured('0', async (app) => {
      expect((await supertest(app).get('/health/live')).status).toBe(200)
      expect((await supertest(app).get('/health/ready')).status).toBe(200)
    }))
})

describe('an error of our own', () => {
  const SECRET = 'relation "api_keys" at db.internal:5432'

  test.each([
    ['the store', () => ({ db: { ...api.context.db, query: () => Promise.reject(new Error(SECRET)) } })],
    ['a verb', () => ({ accept: () => Promise.reject(new TypeError(SECRET)) })],
    ['something that is no error', () => ({ accept: () => Promise.reject(SECRET) })],
  ])('in %s shows nothing of its inside, and is logged with it', async (_, changes) => {
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

describe('the database away', () => {
  const expectUnavailable = async (app: App): Promise<void> => {
    for (const request of [submit, fetchStatus]) {
      const started = performance.now()
      const { status, headers, body, text } = await request(app)
      expect(performance.now() - started).toBeLessThan(3_000)
      expect([status, ErrorEnvelope.parse(body).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(text).not.toMatch(/127\.0\.0\.1:\d+\b(?!\/api)|ECONN|timeout|nobody/)
    }
    const { status, body } = await supertest(app).get('/health/ready')
    expect([status, body.away]).toEqual([503, ['postgres']])
    expect((await supertest(app).get('/health/live')).status).toBe(200)
    expect((await supertest(app).get('/api/v1/openapi.json')).status).toBe(200)
  }

  test('behind a closed port', () =>
    withEnv({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }, expectUnavailable))

  test('behind a host that does not answer', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    await withEnv({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing` }, expectUnavailable)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  test('between the check of the key and the work, and back again', async () => {
    const { rows } = await api.context.db.query<{ name: string }>('SELECT current_database() AS name')
    const name = rows[0]?.name
    expect((await fetchStatus(api.app)).status).toBe(200)
    await api.context.db.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [name],
    )
    const statuses = [(await fetchStatus(api.app)).status, (await fetchStatus(api.app)).status]
    for (const status of statuses) expect([200, 503]).toContain(status)
    expect((await submit(api.app)).status).toBe(202)
  })
})

describe('what every answer carries', () => {
  test('no trace of the framework, and headers that keep browsers from guessing', async () => {
    for (const path of [`/api/v1/videos/status/${jobId}`, '/api/v1/openapi.json', '/nowhere', '/health/live']) {
      const { headers } = await supertest(api.app).get(path).set('X-API-Key', key)
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('etag')
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) })
    }
  })

  test('nothing that opens it to browsers of other sites, and a policy that runs nothing', async () => {
    for (const path of [`/api/v1/videos/status/${jobId}`, '/nowhere', '/health/live']) {
      const { headers } = await supertest(api.app).get(path).set('X-API-Key', key).set('Origin', 'https://a.example')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
      // On a plain connection it would say nothing.
      expect(headers).not.toHaveProperty('strict-transport-security')
    }
  })

  test('the promise of HTTPS where only that is served', () =>
    withEnv({ HTTPS_ONLY: 'true', TRUST_PROXY_HOPS: '1' }, async (app) => {
      const { headers } = await fetchStatus(app).set('X-Forwarded-Proto', 'https')
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }))

  test.each(['a'.repeat(8), 'A-Z_a.z-09', 'x'.repeat(128)])('the request id it was given: %s', async (id) => {
    const { headers, body } = await fetchStatus(api.app).set('X-Request-Id', id)
    expect([headers['x-request-id'], body.meta.request_id]).toEqual([id, id])
  })

  test.each(['a'.repeat(7), 'x'.repeat(129), 'with space', 'semi;colon', '<script>', 'ümläute-'])(
    'an id of its own instead of %s',
    async (id) => {
      const { headers, body } = await fetchStatus(api.app).set('X-Request-Id', id)
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      expect(headers['x-request-id']).not.toBe(id)
      expect(body.meta.request_id).toBe(headers['x-request-id'])
    },
  )
})

describe('/api/v1/openapi.json', () => {
  test('is the document of all routes, for everybody', () =>
    withEnv({ PUBLIC_BASE_URL: 'https://api.example.org/' }, async (app) => {
      const { status, headers, body } = await supertest(app).get('/api/v1/openapi.json')
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      expect(body).toEqual(JSON.parse(JSON.stringify(buildOpenApi(ROUTES, 'https://api.example.org'))))
    }))

  test('knows no other method', async () => {
    const { status, headers, body } = await supertest(api.app).post('/api/v1/openapi.json')
    expect([status, headers.allow, body.error?.code]).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED'])
  })
})

test('addresses in answers begin with the public one', () =>
  withEnv({ PUBLIC_BASE_URL: 'https://api.example.org/' }, async (app) => {
    const { headers, body } = await submit(app)
    expect(body.data.status_url).toBe(`https://api.example.org/api/v1/videos/status/${body.data.job_id}`)
    expect(body.data.result_url).toBe(`https://api.example.org/api/v1/videos/result/${body.data.job_id}`)
    expect(headers.location).toBe(`/api/v1/videos/status/${body.data.job_id}`)
    const refused = await supertest(app).get('/nowhere')
    expect(refused.body.error.docs_url).toBe('https://api.example.org/api/v1/docs/errors#NOT_FOUND')
  }))
