import { createServer, type Socket } from 'node:net'
import { sendTestEvent } from '@subtext/core/webhooks'
import { setReadOnly } from '@subtext/db/testing'
import { openTcpLink, waitUntil } from '@subtext/embedded/testing'
import supertest, { type Response } from 'supertest'
import { createApp } from './app.ts'
import { type TestApi, useTestApi } from './testing/api.ts'
import { acceptTestJob, VIDEO_URL } from './testing/jobs.ts'

const RECEIVER = 'http://127.0.0.1:9/hook'
/** Far more than a busy machine needs. Without timeouts the requests below would wait forever. */
const MAX_WAIT_MS = 240_000

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
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

const withDatabaseAt = (url: string, work: (app: App) => Promise<void>): Promise<void> =>
  api.withEnv({ DATABASE_URL: url, DATABASE_TIMEOUT_SECONDS: '2' }, work)

// The first test of the file: the client's timers run for two seconds after it was closed, and would delay the end of the run.
describe('without Redis', () => {
  test('accepts jobs and names Redis in the readiness check', () =>
    api.withEnv({ REDIS_URL: 'redis://127.0.0.1:1' }, async (app) => {
      const started = performance.now()
      expect((await submit(app)).status).toBe(202)
      expect((await fetchStatus(app).query({ wait: '1' })).status).toBe(200)
      expect(performance.now() - started).toBeLessThan(MAX_WAIT_MS)
      const { status, body } = await supertest(app).get('/health/ready')
      expect([status, body]).toEqual([200, { status: 'degraded', away: ['redis'] }])
    }))

  /** A Redis that accepts commands and never responds. */
  const silent = () => new Promise<never>(() => {})

  test.each<[string, () => Promise<[path: string, body?: object]>, number]>([
    ['cancels a job', async () => [`/videos/cancel/${await acceptTestJob(api.context, key)}`], 200],
    ['accepts a video', async () => ['/videos/process', { url: VIDEO_URL }], 202],
    ['sends a test event', async () => ['/webhooks/test', { url: RECEIVER }], 202],
    [
      'redelivers an event',
      async () => {
        const actor = await api.context.verifyKey(key)
        const { id } = await sendTestEvent(api.context, actor, RECEIVER)
        await api.context.db.query(`UPDATE webhook_deliveries SET status = 'failed', ready = false WHERE id = $1`, [id])
        return [`/webhooks/deliveries/${id}/redeliver`]
      },
      202,
    ],
  ])('%s without waiting for a Redis that does not respond', async (_, prepare, expected) => {
    const [path, body] = await prepare()
    const { notifier, producer } = api.context
    const app = createApp({
      ...api.context,
      notifier: { ...notifier, publish: silent },
      producer: { ...producer, wakeJobs: silent },
    })
    const { status } = await supertest(app).post(`/api/v1${path}`).set('X-API-Key', key).send(body)
    expect(status).toBe(expected)
  })
})

describe('without the database', () => {
  const expectUnavailable = async (app: App): Promise<void> => {
    for (const request of [submit, fetchStatus]) {
      const started = performance.now()
      const response = await request(app)
      expect(performance.now() - started).toBeLessThan(MAX_WAIT_MS)
      expect(response).toBeRefused(503, 'SERVICE_UNAVAILABLE')
      expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(response.text).not.toMatch(/127\.0\.0\.1:\d+\b(?!\/api)|ECONN|timeout|nobody/)
    }
    const { status, body } = await supertest(app).get('/health/ready')
    expect([status, body.away]).toEqual([503, ['postgres']])
    expect((await supertest(app).get('/health/live')).status).toBe(200)
    expect((await supertest(app).get('/api/v1/openapi.json')).status).toBe(200)
  }

  test('responds SERVICE_UNAVAILABLE when its port is closed', () =>
    withDatabaseAt('postgres://nobody@127.0.0.1:1/nothing', expectUnavailable))

  test('responds SERVICE_UNAVAILABLE when its host does not respond', async () => {
    const sockets: Socket[] = []
    const silentServer = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve))
    const { port } = silentServer.address() as { port: number }
    await withDatabaseAt(`postgres://nobody@127.0.0.1:${port}/nothing`, expectUnavailable)
    for (const socket of sockets) socket.destroy()
    silentServer.close()
  })

  test('serves again after its connections were terminated', async () => {
    const { rows } = await api.context.db.query<{ name: string }>('SELECT current_database() AS name')
    expect((await fetchStatus(api.app)).status).toBe(200)
    await api.context.db.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [rows[0]?.name],
    )
    const statuses = [(await fetchStatus(api.app)).status, (await fetchStatus(api.app)).status]
    for (const status of statuses) expect([200, 503]).toContain(status)
    expect((await submit(api.app)).status).toBe(202)
  })

  test('accepts nothing while it is silent, and serves again afterwards', async () => {
    const link = await openTcpLink(api.settings.DATABASE_URL ?? '')
    const countJobs = async () => (await api.context.db.query('SELECT FROM jobs')).rowCount ?? 0
    const before = await countJobs()
    link.silence()
    await withDatabaseAt(link.url, async (app) => {
      const started = performance.now()
      const response = await submit(app)
      expect(performance.now() - started).toBeLessThan(MAX_WAIT_MS)
      expect(response).toBeRefused(503, 'SERVICE_UNAVAILABLE')
      expect(response.body.error.retryable).toBe(true)
      expect(response.headers['retry-after']).toBeDefined()
      expect(await countJobs()).toBe(before)

      link.heal()
      // On a busy machine, a new connection can take longer than the service allows.
      const status = await waitUntil('the database is reachable again', async () => {
        const reply = await submit(app)
        return reply.status !== 503 && reply.status
      })
      expect(status).toBe(202)
      expect(await countJobs()).toBe(before + 1)
    })
    await link.close()
  })
})

describe('while the database accepts no writes', () => {
  /** Makes the statement fail as on a full disk. Returns a function that makes it succeed again. */
  async function fillDisk(operation: 'INSERT' | 'UPDATE', table: string): Promise<() => Promise<unknown>> {
    const { db } = api.context
    await db.query(
      `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
    )
    await db.query(`CREATE TRIGGER disk_full BEFORE ${operation} ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`)
    return () => db.query(`DROP TRIGGER disk_full ON ${table}`)
  }
  const submitWithKey = (idempotencyKey: string) => submit(api.app).set('Idempotency-Key', idempotencyKey)
  /** Repeats a request that meets one of the sessions that have just ended. */
  const findStatus = (send: () => Promise<Response>): Promise<number> =>
    waitUntil('the request is served', async () => {
      const { status } = await send()
      return status !== 503 && status
    })
  const expectRefused = (response: Response): void => {
    expect(response).toBeRefused(503, 'SERVICE_UNAVAILABLE')
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  }

  test('refuses writes with SERVICE_UNAVAILABLE and serves reads on a read-only database', async () => {
    const send = (path: string, body?: object) => supertest(api.app).post(path).set('X-API-Key', key).send(body)
    await setReadOnly(api.settings.DATABASE_URL ?? '', true)
    try {
      expectRefused(await submit(api.app))
      expectRefused(await submitWithKey('read-only'))
      expectRefused(await send('/api/v1/batch/process', { videos: [{ url: VIDEO_URL }] }))
      expectRefused(await send(`/api/v1/videos/cancel/${jobId}`))
      expectRefused(await send('/api/v1/webhooks/test', { url: RECEIVER }))
      expectRefused(await send('/api/v1/webhooks/secret/rotate'))
      expect(await findStatus(() => fetchStatus(api.app))).toBe(200)
    } finally {
      await setReadOnly(api.settings.DATABASE_URL ?? '', false)
    }
    expect(await findStatus(() => submitWithKey('read-only'))).toBe(202)
  })

  test('frees the idempotency key of a request that met a full disk', async () => {
    const freeDisk = await fillDisk('INSERT', 'jobs')
    expectRefused(await submitWithKey('full-disk'))
    await freeDisk()
    expect((await submitWithKey('full-disk')).status).toBe(202)
  })

  test('frees an idempotency key that could not be freed at once', async () => {
    const [freeJobs, freeKeys] = [await fillDisk('INSERT', 'jobs'), await fillDisk('UPDATE', 'idempotency_keys')]
    expectRefused(await submitWithKey('fuller-disk'))
    expect(await submitWithKey('fuller-disk')).toBeRefused(409, 'IDEMPOTENCY_IN_PROGRESS')
    await Promise.all([freeJobs(), freeKeys()])
    await waitUntil('the key is free', async () => (await submitWithKey('fuller-disk')).status === 202)
  })
})
