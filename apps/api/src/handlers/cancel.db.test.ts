import { ErrorEnvelope, Job } from '@subtext/contracts'
import { completeJob } from '@subtext/core/jobs'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { acceptTestJob, claimTestJob, completeTestJob } from '../testing/jobs.ts'

let api: TestApi
let key: string
beforeAll(async () => {
  api = await openTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  key = await api.createKey()
})
afterAll(() => api.close())

const cancel = (jobId: string, as = key) =>
  supertest(api.app).post(`/api/v1/videos/cancel/${jobId}`).set('X-API-Key', as)
const fetchResult = (jobId: string) => supertest(api.app).get(`/api/v1/videos/result/${jobId}`).set('X-API-Key', key)
const submit = async (as = key): Promise<string> => {
  const body = { url: 'https://youtu.be/dQw4w9WgXcQ', webhook_url: 'http://127.0.0.1:9/hook', agent_name: 'agent' }
  const answer = await supertest(api.app).post('/api/v1/videos/process').set('X-API-Key', as).send(body)
  return answer.body.data.job_id
}
const rows = async <Row>(text: string, values: unknown[]) => (await api.context.db.query<Row>(text, values)).rows

test('a job that waits fails as cancelled, once, however often and by how many it is asked', async () => {
  const own = await api.createKey()
  const jobId = await submit(own)
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(jobId, own)))
  answers.push(await cancel(jobId, own))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(Job.strict().parse(body.data)).toMatchObject({
      job_id: jobId,
      status: 'failed',
      current_step: 'failed',
      estimated_time_remaining: 0,
      error: { code: 'JOB_CANCELLED', retryable: false },
      agent_name: 'agent',
    })
  }
  expect(new Set(answers.map(({ body }) => body.data.completed_at)).size).toBe(1)
  expect(
    await rows('SELECT used FROM quota_usage WHERE user_id = (SELECT user_id FROM jobs WHERE id = $1)', [jobId]),
  ).toEqual([{ used: 0 }, { used: 0 }])
  expect(await rows('SELECT outcome FROM usage_entries WHERE job_id = $1', [jobId])).toEqual([{ outcome: 'failed' }])
  const events = await rows<{ type: string; body: Buffer }>(
    'SELECT type, body FROM webhook_events WHERE subject_id = $1',
    [jobId],
  )
  expect(events.map(({ type }) => type)).toEqual(['job.failed'])
  expect(JSON.parse(String(events[0]?.body)).data).toMatchObject({ job_id: jobId, error: { code: 'JOB_CANCELLED' } })
})

test('its result is the error from then on, and who waits for it is told at once', async () => {
  const jobId = await submit()
  const waiting = supertest(api.app).get(`/api/v1/videos/status/${jobId}?wait=30`).set('X-API-Key', key).then()
  const started = performance.now()
  await cancel(jobId)
  expect((await waiting).body.data.status).toBe('failed')
  expect(performance.now() - started).toBeLessThan(5_000)
  const { status, body } = await fetchResult(jobId)
  expect([status, ErrorEnvelope.parse(body).error.code]).toEqual([422, 'JOB_CANCELLED'])
})

test('a job that is worked on keeps its progress, and its worker cannot end it any more', async () => {
  const jobId = await acceptTestJob(api.context, key)
  const lease = await claimTestJob(api.context, jobId)
  await rows('UPDATE jobs SET progress = 60 WHERE id = $1', [jobId])
  const { body } = await cancel(jobId)
  expect(body.data).toMatchObject({ status: 'failed', progress_percentage: 60 })
  const done = { result: {} as Parameters<typeof completeJob>[2]['result'], warnings: [], event: null }
  expect(await completeJob(api.context, lease, { ...done, result: { ...done.result, completedAt: new Date() } })).toBe(
    false,
  )
})

test('a job that has ended stays as it is', async () => {
  const jobId = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, jobId, { warnings: [{ code: 'TRANSCRIPT_TRUNCATED', message: 'Cut.' }] })
  const { status, body } = await cancel(jobId)
  expect([status, body.data.status, body.data.progress_percentage]).toEqual([200, 'completed', 100])
  expect(body.meta.warnings).toHaveLength(1)
  expect((await fetchResult(jobId)).status).toBe(200)
})

test('so does one that ends at that moment', async () => {
  const jobId = await acceptTestJob(api.context, key)
  const db: TestApi['context']['db'] = {
    ...api.context.db,
    transaction: async (work) => {
      await completeTestJob(api.context, jobId)
      return api.context.db.transaction(work)
    },
  }
  const path = `/api/v1/videos/cancel/${jobId}`
  const { status, body } = await supertest(createApp({ ...api.context, db }))
    .post(path)
    .set('X-API-Key', key)
  expect([status, body.data.status]).toEqual([200, 'completed'])
})

test('notifies subscribers of a cancellation, and cancels without Redis as well', async () => {
  const jobId = await acceptTestJob(api.context, key)
  const heard: string[] = []
  const stop = api.context.notifier.subscribe('job', (id) => heard.push(id))
  await cancel(jobId)
  while (!heard.includes(jobId)) await new Promise((resolve) => setTimeout(resolve, 10))
  stop()

  const away = await openTestApi({ REDIS_URL: 'redis://127.0.0.1:1' })
  const itsKey = await away.createKey()
  const other = await acceptTestJob(away.context, itsKey)
  const answer = await supertest(away.app).post(`/api/v1/videos/cancel/${other}`).set('X-API-Key', itsKey)
  expect([answer.status, answer.body.data.status]).toEqual([200, 'failed'])
  await away.close()
})

test('foreign, unknown and malformed ids are not found, and a foreign job goes on', async () => {
  const owner = await api.createKey()
  const foreign = await acceptTestJob(api.context, owner)
  for (const id of [foreign, '0190b0c4-0000-7000-8000-000000000001', 'x']) {
    const { status, body } = await cancel(id)
    expect([status, ErrorEnvelope.parse(body).error.code]).toEqual([404, 'NOT_FOUND'])
  }
  const [row] = await rows<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [foreign])
  expect(row?.status).toBe('queued')
})

test('a key that may only read may not cancel', async () => {
  const reader = await api.createKey({ scopes: ['read'] })
  const { status, body } = await cancel('x', reader)
  expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
})
