import { Job } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { type TestApi, useTestApi } from '../testing/api.ts'
import {
  acceptTestJob,
  addTestSummary,
  claimTestJob,
  completeTestJob,
  endTestJob,
  saveTestTranscript,
} from '../testing/jobs.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
let key: string
beforeAll(async () => {
  key = await api.createKey()
})

const cancel = (jobId: string, as = key) =>
  supertest(api.app).post(`/api/v1/videos/cancel/${jobId}`).set('X-API-Key', as)
const fetchResult = (jobId: string) => supertest(api.app).get(`/api/v1/videos/result/${jobId}`).set('X-API-Key', key)
const submit = async (as = key): Promise<string> => {
  const body = { url: 'https://youtu.be/dQw4w9WgXcQ', webhook_url: 'http://127.0.0.1:9/hook', agent_name: 'agent' }
  const response = await supertest(api.app).post('/api/v1/videos/process').set('X-API-Key', as).send(body)
  return response.body.data.job_id
}
const rows = async <Row>(text: string, values: unknown[]) => (await api.context.db.query<Row>(text, values)).rows

test('cancels a queued job once, however many requests ask for it', async () => {
  const own = await api.createKey()
  const jobId = await submit(own)
  const responses = await Promise.all(Array.from({ length: 5 }, () => cancel(jobId, own)))
  responses.push(await cancel(jobId, own))
  for (const { status, body } of responses) {
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
  expect(new Set(responses.map(({ body }) => body.data.completed_at)).size).toBe(1)
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

test('ends waiting requests at once, and makes the result an error', async () => {
  const jobId = await submit()
  const waiting = supertest(api.app).get(`/api/v1/videos/status/${jobId}?wait=60`).set('X-API-Key', key).then()
  const started = performance.now()
  await cancel(jobId)
  expect((await waiting).body.data.status).toBe('failed')
  // Less than the minute it could wait.
  expect(performance.now() - started).toBeLessThan(55_000)
  expect(await fetchResult(jobId)).toBeRefused(422, 'JOB_CANCELLED')
})

test('keeps the progress of a running job, whose worker can no longer end it', async () => {
  const jobId = await acceptTestJob(api.context, key)
  const lease = await claimTestJob(api.context, jobId)
  await rows('UPDATE jobs SET progress = 60 WHERE id = $1', [jobId])
  const { body } = await cancel(jobId)
  expect(body.data).toMatchObject({ status: 'failed', progress_percentage: 60 })
  await expect(endTestJob(api.context, lease, await saveTestTranscript(api.context))).rejects.toThrow('lease was lost')
})

test('does not change a job that has ended', async () => {
  const jobId = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, jobId, { warnings: [{ code: 'TRANSCRIPT_TRUNCATED', message: 'Cut.' }] })
  const { status, body } = await cancel(jobId)
  expect([status, body.data.status, body.data.progress_percentage]).toEqual([200, 'completed', 100])
  expect(body.meta.warnings).toHaveLength(1)
  expect((await fetchResult(jobId)).status).toBe(200)
})

test('does not change a job that ends during the request', async () => {
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
  const notified: string[] = []
  const stop = api.context.notifier.subscribe('job', (id) => notified.push(id))
  await cancel(jobId)
  await waitUntil('subscribers are notified', () => notified.includes(jobId))
  stop()

  const away = api.openBeside({ REDIS_URL: 'redis://127.0.0.1:1' })
  const other = await acceptTestJob(away.context, key)
  const response = await supertest(away.app).post(`/api/v1/videos/cancel/${other}`).set('X-API-Key', key)
  expect([response.status, response.body.data.status]).toEqual([200, 'failed'])
  await away.close()
})

test('responds NOT_FOUND for IDs of other accounts, unknown IDs and malformed IDs, and changes nothing', async () => {
  const owner = await api.createKey()
  const foreign = await acceptTestJob(api.context, owner)
  for (const id of [foreign, '0190b0c4-0000-7000-8000-000000000001', 'x']) {
    expect(await cancel(id)).toBeRefused(404, 'NOT_FOUND')
  }
  const [row] = await rows<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [foreign])
  expect(row?.status).toBe('queued')
})

test('refuses a key with the scope read only', async () => {
  const reader = await api.createKey({ scopes: ['read'] })
  expect(await cancel('x', reader)).toBeRefused(403, 'INSUFFICIENT_SCOPE')
})

test('does not return the quota of a job whose summary the event stream has delivered', async () => {
  const own = await api.createKey()
  const jobId = await submit(own)
  const warnings = [{ code: 'QUOTA_KEPT', message: expect.stringContaining('a summary was finished') }]
  await claimTestJob(api.context, jobId)
  await addTestSummary(api.context, jobId, await saveTestTranscript(api.context), 'tldr')
  expect((await cancel(jobId, own)).body).toMatchObject({ data: { status: 'failed' }, meta: { warnings } })
  // Once more, and in the status.
  expect((await cancel(jobId, own)).body.meta).toMatchObject({ warnings })
  const get = (path: string) => supertest(api.app).get(`/api/v1${path}`).set('X-API-Key', own)
  expect((await get(`/videos/status/${jobId}`)).body.meta).toMatchObject({ warnings })
  expect((await get('/usage/current')).body.data.quotas.daily.used).toBe(1)
})
