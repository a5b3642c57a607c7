import { get as httpGet } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ErrorEnvelope, Job, ServiceError } from '@subtext/contracts'
import { reportStep } from '@subtext/core/jobs'
import supertest, { type Response } from 'supertest'
import { createApp } from '../app.ts'
import { listen } from '../server.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { acceptTestJob, claimTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'

let api: TestApi
let key: string

beforeAll(async () => {
  api = await openTestApi()
  key = await api.createKey()
})
afterAll(() => api.close())

const fetchStatus = (jobId: string, query = '', app = api.app): Promise<Response> =>
  supertest(app)
    .get(`/api/v1/videos/status/${jobId}${query}`)
    .set('Authorization', `Bearer ${key}`)
    .then((it) => it)

/** Milliseconds something takes, beside what it brings. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const started = performance.now()
  return [await work, performance.now() - started]
}

describe('the job', () => {
  test('while it waits', async () => {
    const jobId = await acceptTestJob(api.context, key, { agentName: 'agent', clientReference: '' })
    const { status, headers, body } = await fetchStatus(jobId)
    expect(status).toBe(200)
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
    const job = Job.strict().parse(body.data)
    expect(job).toMatchObject({
      job_id: jobId,
      status: 'queued',
      progress_percentage: 0,
      current_step: 'queued',
      video_id: 'dQw4w9WgXcQ',
      video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      priority: 'normal',
      agent_name: 'agent',
      client_reference: '',
    })
    expect(job.estimated_time_remaining).toBeGreaterThan(0)
    for (const absent of ['started_at', 'completed_at', 'error', 'service_name', 'batch_id']) {
      expect(body.data).not.toHaveProperty(absent)
    }
  })

  test('while it is worked on, with a progress that never falls', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const lease = await claimTestJob(api.context, jobId)
    await reportStep(api.context, lease, 'fetching_captions', 40)
    const { headers, body } = await fetchStatus(jobId)
    expect(headers).toHaveProperty('retry-after')
    const job = Job.strict().parse(body.data)
    expect(job).toMatchObject({ status: 'processing', current_step: 'fetching_captions', progress_percentage: 40 })
    expect(job.started_at).toBeDefined()

    await reportStep(api.context, lease, 'fetching_video', 10)
    expect((await fetchStatus(jobId)).body.data.progress_percentage).toBe(40)
  })

  test('when it has completed', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const warnings = [{ code: 'TRANSCRIPT_TRUNCATED' as const, message: 'Cut.' }]
    await completeTestJob(api.context, jobId, { warnings })
    const { headers, body } = await fetchStatus(jobId)
    expect(headers).not.toHaveProperty('retry-after')
    expect(Job.strict().parse(body.data)).toMatchObject({
      status: 'completed',
      current_step: 'completed',
      progress_percentage: 100,
      estimated_time_remaining: 0,
      completed_at: expect.any(String),
    })
    expect(body.data).not.toHaveProperty('error')
    expect(body.meta.warnings).toEqual(warnings)
  })

  test('when it has failed', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const details = { reason: 'no_captions' }
    await failTestJob(api.context, jobId, new ServiceError('TRANSCRIPT_UNAVAILABLE', { message: 'None.', details }))
    const { status, headers, body } = await fetchStatus(jobId)
    expect([status, body.success]).toEqual([200, true])
    expect(headers).not.toHaveProperty('retry-after')
    expect(Job.strict().parse(body.data)).toMatchObject({
      status: 'failed',
      current_step: 'failed',
      estimated_time_remaining: 0,
      error: { code: 'TRANSCRIPT_UNAVAILABLE', message: 'None.', retryable: false, details },
    })
  })
})

describe('waiting', () => {
  test('a job that has ended is told at once', async () => {
    const jobId = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, jobId)
    const [{ body }, ms] = await timed(fetchStatus(jobId, '?wait=60'))
    expect(body.data.status).toBe('completed')
    expect(ms).toBeLessThan(1_500)
  })

  test('ends with its time when the job goes on', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const [{ status, headers, body }, ms] = await timed(fetchStatus(jobId, '?wait=1'))
    expect([status, body.data.status]).toEqual([200, 'queued'])
    expect(headers).toHaveProperty('retry-after')
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(4_000)
  })

  test.each([
    ['completes', completeTestJob],
    ['fails', (ctx: TestApi['context'], id: string) => failTestJob(ctx, id, new ServiceError('GEO_BLOCKED'))],
  ])('ends by the notification when the job %s', async (_, end) => {
    const jobId = await acceptTestJob(api.context, key)
    const waiting = fetchStatus(jobId, '?wait=30')
    await sleep(200)
    await end(api.context, jobId)
    const [{ body }, ms] = await timed(waiting)
    expect(['completed', 'failed']).toContain(body.data.status)
    // The next look without a notification would come later.
    expect(ms).toBeLessThan(1_500)
  })

  test('ends soon after the job also when the notification is lost', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const waiting = fetchStatus(jobId, '?wait=30')
    await sleep(200)
    await completeTestJob(
      {
        ...api.context,
        notifier: { ...api.context.notifier, publish: () => Promise.reject(new Error('Redis is away.')) },
      },
      jobId,
    )
    const [{ body }, ms] = await timed(waiting)
    expect(body.data.status).toBe('completed')
    expect(ms).toBeLessThan(6_000)
  })

  test('progress and the end of other jobs do not end it', async () => {
    const [jobId, other] = [await acceptTestJob(api.context, key), await acceptTestJob(api.context, key)]
    const waiting = fetchStatus(jobId, '?wait=2')
    await sleep(100)
    await reportStep(api.context, await claimTestJob(api.context, jobId), 'summarizing', 50)
    await completeTestJob(api.context, other)
    const [{ body }, ms] = await timed(waiting)
    expect(body.data).toMatchObject({ status: 'processing', progress_percentage: 50 })
    expect(ms).toBeGreaterThan(1_500)
  })

  test('ends when the process begins to stop', async () => {
    const beside = api.openBeside()
    const jobId = await acceptTestJob(api.context, key)
    const waiting = fetchStatus(jobId, '?wait=60', beside.app)
    await sleep(200)
    beside.drain()
    const [{ status, body }, ms] = await timed(waiting)
    expect([status, body.data.status]).toEqual([200, 'queued'])
    expect(ms).toBeLessThan(1_500)
    await beside.close()
  })

  test('ends when the caller leaves, and leaves nothing behind', async () => {
    let listeners = 0
    const subscribeCounted: TestApi['context']['notifier']['subscribe'] = (kind, listener) => {
      const stop = api.context.notifier.subscribe(kind, listener)
      listeners++
      return () => {
        listeners--
        stop()
      }
    }
    const notifier = { ...api.context.notifier, subscribe: subscribeCounted }
    const server = await listen(createApp({ ...api.context, notifier }), 0, '127.0.0.1')
    const jobId = await acceptTestJob(api.context, key)
    const path = `/api/v1/videos/status/${jobId}?wait=60`
    const request = httpGet({ host: '127.0.0.1', port: server.port, path, headers: { 'X-API-Key': key } })
    request.on('error', () => {}) // it is cut below
    while (listeners === 0) await sleep(20)
    request.destroy()
    for (let tries = 0; listeners > 0 && tries < 200; tries++) await sleep(20)
    expect(listeners).toBe(0)
    await server.drain(0)
  })

  test.each(['-1', '61', '1.5', 'abc', 'NaN', 'Infinity', '1e3', '1&wait=2', '%00', 'true'])(
    'wait=%s is refused',
    async (wait) => {
      const { status, body } = await fetchStatus(await acceptTestJob(api.context, key), `?wait=${wait}`)
      expect([status, ErrorEnvelope.parse(body).error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.details.issues[0].path).toBe('query.wait')
    },
  )

  test('wait=0 does not wait', async () => {
    const [{ status }, ms] = await timed(fetchStatus(await acceptTestJob(api.context, key), '?wait=0'))
    expect(status).toBe(200)
    expect(ms).toBeLessThan(1_500)
  })
})
