import { setTimeout as sleep } from 'node:timers/promises'
import { DefaultResult, ServiceError } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob, failTestJob, VIDEO_URL } from '../testing/jobs.ts'

const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.createKey({ scopes: ['admin'] })
})

const PATH = '/api/v1/videos/process-sync'
const submitAndWait = (query: string, body: object = { url: VIDEO_URL }, headers: Record<string, string> = {}) =>
  supertest(api.app)
    .post(`${PATH}${query}`)
    .set({ 'X-API-Key': admin, ...headers })
    .send(body)

/** Waits for a queued job and returns its ID. */
const nextJob = (): Promise<string> =>
  waitUntil('a job is queued', async () => {
    const { rows } = await api.context.db.query<{ id: string }>("SELECT id FROM jobs WHERE status = 'queued'")
    return rows[0]?.id
  })
const statusOf = async (jobId: string) => {
  const { rows } = await api.context.db.query<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [jobId])
  return rows[0]?.status
}

test('responds with the same result as a later request for it', async () => {
  const pending = submitAndWait('', { url: VIDEO_URL, client_reference: 'ref' }).then()
  const jobId = await nextJob()
  await completeTestJob(api.context, jobId, { warnings: [{ code: 'TRANSCRIPT_TRUNCATED', message: 'Cut.' }] })
  const { status, body, headers } = await pending
  expect(status).toBe(200)
  expect(DefaultResult.parse(body.data)).toMatchObject({ job_id: jobId, client_reference: 'ref' })
  const later = await supertest(api.app).get(`/api/v1/videos/result/${jobId}`).set('X-API-Key', admin)
  expect(body.data).toEqual(later.body.data)
  expect(body.meta.warnings).toEqual(later.body.meta.warnings)
  expect(headers).not.toHaveProperty('etag')
})

test('responds with the error of the job and the status of that error', async () => {
  const pending = submitAndWait('').then()
  const jobId = await nextJob()
  const details = { reason: 'private' }
  await failTestJob(api.context, jobId, new ServiceError('TRANSCRIPT_UNAVAILABLE', { message: 'Private.', details }))
  const response = await pending
  expect(response).toBeRefused(422, 'TRANSCRIPT_UNAVAILABLE')
  expect(response.body.error).toMatchObject({ message: 'Private.', details, retryable: false })
})

test('responds PROCESSING_TIMEOUT with the job ID after the wait, and the job continues', async () => {
  const started = performance.now()
  const response = await submitAndWait('?wait=1')
  expect(performance.now() - started).toBeGreaterThan(900)
  expect(response).toBeRefused(504, 'PROCESSING_TIMEOUT')
  const { job_id } = response.body.error.details
  expect(await statusOf(job_id)).toBe('queued')
  await completeTestJob(api.context, job_id)
  expect(await statusOf(job_id)).toBe('completed')
})

test('accepts older names as the asynchronous route does', async () => {
  const pending = submitAndWait('', { video_url: VIDEO_URL, summary_type: 'tldr' }).then()
  await completeTestJob(api.context, await nextJob())
  const { status, body, headers } = await pending
  expect(status).toBe(200)
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(body.meta.warnings).toHaveLength(2)
})

test('a repetition with the same idempotency key waits for the same job and gets the same result', async () => {
  const key = { 'Idempotency-Key': 'once' }
  const first = await submitAndWait('?wait=1', undefined, key)
  const jobId = first.body.error.details.job_id
  const second = submitAndWait('', undefined, key).then()
  await sleep(100)
  await completeTestJob(api.context, jobId)
  expect((await second).body.data.job_id).toBe(jobId)
  const third = await submitAndWait('', undefined, key)
  expect([third.status, third.body.data.job_id, third.headers['idempotent-replayed']]).toEqual([200, jobId, 'true'])
})

test('a repetition with the same idempotency key gets the error of a failed job again', async () => {
  const key = { 'Idempotency-Key': 'failed' }
  const pending = submitAndWait('', undefined, key).then()
  await failTestJob(
    api.context,
    await nextJob(),
    new ServiceError('TRANSCRIPT_UNAVAILABLE', { details: { reason: 'private' } }),
  )
  const first = await pending
  const again = await submitAndWait('', undefined, key)
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([422, undefined])
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([422, 'true'])
  expect(again.body.error).toEqual(first.body.error)
})

test('the job continues when the caller disconnects', async () => {
  const server = await api.serve()
  const leaving = new AbortController()
  const headers = { 'X-API-Key': admin, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ url: VIDEO_URL })
  const request = fetch(`http://127.0.0.1:${server.port}${PATH}`, {
    method: 'POST',
    headers,
    body,
    signal: leaving.signal,
  })
  const jobId = await nextJob()
  leaving.abort()
  await expect(request).rejects.toThrow()
  await completeTestJob(api.context, jobId)
  expect(await statusOf(jobId)).toBe('completed')
})

test.each(['0', '301', '-1', '1.5', 'abc', ''])('refuses wait=%s', async (wait) => {
  expect(await submitAndWait(`?wait=${wait}`)).toBeRefused(400, 'VALIDATION_ERROR', 'query.wait')
})

test('refuses keys without the scope admin', async () => {
  const key = await api.createKey()
  expect(await submitAndWait('', undefined, { 'X-API-Key': key })).toBeRefused(403, 'INSUFFICIENT_SCOPE')
})

test('does not cut waits that are longer than a request may take to arrive', async () => {
  const server = await api.serve()
  const origin = `http://127.0.0.1:${server.port}/api/v1/videos`
  const headers = { 'X-API-Key': admin, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ url: VIDEO_URL })
  const jobId = await acceptTestJob(api.context, admin)
  const [processed, status, events] = await Promise.all([
    fetch(`${origin}/process-sync?wait=12`, { method: 'POST', headers, body }),
    fetch(`${origin}/status/${jobId}?wait=12`, { headers }),
    fetch(`${origin}/events/${jobId}`, { headers }),
    sleep(12_000),
  ])
  expect([processed.status, status.status]).toEqual([504, 200])
  await completeTestJob(api.context, jobId)
  expect(await events.text()).toContain('event: completed')
})
