import { get as httpGet } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Job, ServiceError } from '@subtext/contracts'
import { createJobLookups, letJobWait, reportStep } from '@subtext/core/jobs'
import { waitUntil } from '@subtext/embedded/testing'
import supertest, { type Response } from 'supertest'
import { createApp } from '../app.ts'
import { type TestApi, useTestApi } from '../testing/api.ts'
import { acceptTestJob, claimTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'

const api = useTestApi()
let key: string

beforeAll(async () => {
  key = await api.createKey()
})

const fetchStatus = (jobId: string, query = '', app = api.app): Promise<Response> =>
  supertest(app)
    .get(`/api/v1/videos/status/${jobId}${query}`)
    .set('Authorization', `Bearer ${key}`)
    .then((it) => it)

/** Returns the result of `work` and the milliseconds until it was there. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const started = performance.now()
  return [await work, performance.now() - started]
}

/**
 * Returns a context that sees no change of a job before its notification. A request that notices the end of the job then owes
 * that to the notification and not to polling.
 */
function hideChangesUntilNotified(jobId: string): TestApi['context'] {
  const { db, notifier } = api.context
  const results = new Map<string, Promise<unknown>>()
  let notified = false
  const query: typeof db.query = (text, values) => {
    if (notified) return db.query(text, values)
    const key = JSON.stringify([text, values])
    const result = (results.get(key) as ReturnType<typeof db.query<never>>) ?? db.query(text, values)
    results.set(key, result)
    return result
  }
  const subscribe: typeof notifier.subscribe = (kind, listener) =>
    notifier.subscribe(kind, (id) => {
      notified ||= id === jobId
      listener(id)
    })
  const hiding = { ...db, query }
  return { ...api.context, db: hiding, lookups: createJobLookups(hiding), notifier: { ...notifier, subscribe } }
}

/** Less than the minute that the requests below could wait, and far more than a busy machine needs. */
const PROMPTLY_MS = 55_000

describe('the status of a job', () => {
  test('shows a queued job', async () => {
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
    for (const absent of ['started_at', 'next_attempt_at', 'completed_at', 'error', 'service_name', 'batch_id']) {
      expect(body.data).not.toHaveProperty(absent)
    }
  })

  test('shows a running job with progress that never decreases', async () => {
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

  test('shows when a job that waits for the platform is tried again', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const lease = await claimTestJob(api.context, jobId)
    await letJobWait(api.context, lease, 600)
    const { headers, body } = await fetchStatus(jobId)
    expect(headers['retry-after']).toBe('60')
    const job = Job.strict().parse(body.data)
    expect(job).toMatchObject({ status: 'processing', current_step: 'fetching_video' })
    const waitMs = new Date(job.next_attempt_at ?? 0).getTime() - Date.now()
    expect(waitMs).toBeGreaterThan(300_000)
    expect(waitMs).toBeLessThanOrEqual(600_000)
    expect(job.estimated_time_remaining).toBeGreaterThan(300)
    const list = await supertest(api.app).get('/api/v1/videos/').set('Authorization', `Bearer ${key}`)
    // The IDs of test jobs are random, so their order is, too.
    expect(list.body.data.jobs).toContainEqual(
      expect.objectContaining({ job_id: jobId, next_attempt_at: job.next_attempt_at }),
    )
  })

  test('shows a completed job', async () => {
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

  test('shows a failed job with its error', async () => {
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

describe('waiting for the end of a job', () => {
  test('ends at once if the job has already ended', async () => {
    const jobId = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, jobId)
    const [{ body }, ms] = await timed(fetchStatus(jobId, '?wait=60'))
    expect(body.data.status).toBe('completed')
    expect(ms).toBeLessThan(PROMPTLY_MS)
  })

  test('ends after the given time if the job is still running', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const [{ status, headers, body }, ms] = await timed(fetchStatus(jobId, '?wait=1'))
    expect([status, body.data.status]).toEqual([200, 'queued'])
    expect(headers).toHaveProperty('retry-after')
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(PROMPTLY_MS)
  })

  test.each([
    ['completes', completeTestJob],
    ['fails', (ctx: TestApi['context'], id: string) => failTestJob(ctx, id, new ServiceError('GEO_BLOCKED'))],
  ])('ends with the notification that the job %s', async (_, end) => {
    const jobId = await acceptTestJob(api.context, key)
    const waiting = fetchStatus(jobId, '?wait=30', createApp(hideChangesUntilNotified(jobId)))
    await sleep(200)
    await end(api.context, jobId)
    const { body } = await waiting
    expect(['completed', 'failed']).toContain(body.data.status)
  })

  test('ends with the notification although the ID is written in capitals', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const waiting = fetchStatus(jobId.toUpperCase(), '?wait=30', createApp(hideChangesUntilNotified(jobId)))
    await sleep(200)
    await completeTestJob(api.context, jobId)
    expect((await waiting).body.data).toMatchObject({ job_id: jobId, status: 'completed' })
  })

  test('ends soon after the job even if the notification is lost', async () => {
    const jobId = await acceptTestJob(api.context, key)
    const waiting = timed(fetchStatus(jobId, '?wait=60'))
    await sleep(200)
    const publish = () => Promise.reject(new Error('Redis is unavailable.'))
    await completeTestJob({ ...api.context, notifier: { ...api.context.notifier, publish } }, jobId)
    const [{ body }, ms] = await waiting
    expect(body.data.status).toBe('completed')
    expect(ms).toBeLessThan(PROMPTLY_MS)
  })

  test('continues through progress and the end of other jobs', async () => {
    const [jobId, other] = [await acceptTestJob(api.context, key), await acceptTestJob(api.context, key)]
    const beside = api.openBeside()
    const [waiting, next] = [jobId, other].map((id) => fetchStatus(id, '?wait=60', beside.app).then((one) => one))
    let hasEnded = false
    void waiting?.then(() => {
      hasEnded = true
    })
    await reportStep(api.context, await claimTestJob(api.context, jobId), 'summarizing', 50)
    await completeTestJob(api.context, other)
    expect((await next)?.body.data.status).toBe('completed')
    expect(hasEnded).toBe(false)
    beside.drain()
    expect((await waiting)?.body.data).toMatchObject({ status: 'processing', progress_percentage: 50 })
  })

  test('ends when the process begins to stop', async () => {
    const beside = api.openBeside()
    const jobId = await acceptTestJob(api.context, key)
    const waiting = timed(fetchStatus(jobId, '?wait=60', beside.app))
    await sleep(200)
    beside.drain()
    const [{ status, body }, ms] = await waiting
    expect([status, body.data.status]).toEqual([200, 'queued'])
    expect(ms).toBeLessThan(PROMPTLY_MS)
  })

  test('ends when the caller disconnects, and leaves no subscription behind', async () => {
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
    const server = await api.serve(createApp({ ...api.context, notifier }))
    const jobId = await acceptTestJob(api.context, key)
    const path = `/api/v1/videos/status/${jobId}?wait=60`
    const request = httpGet({ host: '127.0.0.1', port: server.port, path, headers: { 'X-API-Key': key } })
    request.on('error', () => {}) // it is cut below
    await waitUntil('the request waits', () => listeners > 0)
    request.destroy()
    await waitUntil('no subscription is left', () => listeners === 0)
  })

  test.each(['-1', '61', '1.5', 'abc', 'NaN', 'Infinity', '1e3', '1&wait=2', '%00', 'true'])(
    'refuses wait=%s',
    async (wait) => {
      const response = await fetchStatus(await acceptTestJob(api.context, key), `?wait=${wait}`)
      expect(response).toBeRefused(400, 'VALIDATION_ERROR', 'query.wait')
    },
  )

  test('responds at once with wait=0', async () => {
    const [{ status }, ms] = await timed(fetchStatus(await acceptTestJob(api.context, key), '?wait=0'))
    expect(status).toBe(200)
    expect(ms).toBeLessThan(PROMPTLY_MS)
  })
})
