import { BATCH_STATUSES, PLANS, ServiceError } from '@subtext/contracts'
import supertest from 'supertest'
import { countRows, NO_ROWS } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { acceptTestBatch, completeTestJob, failTestJob, VIDEO_URL } from '../testing/jobs.ts'

const OTHER_URL = 'https://youtu.be/9bZkp7q19f0'
const { daily } = PLANS.pro.quota

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'false' })
let key: string
let admin: string

beforeAll(async () => {
  admin = await api.createKey({ scopes: ['admin'] })
})
beforeEach(async () => {
  key = await api.createKey()
})

const videos = (count: number, more: object = {}) => Array.from({ length: count }, () => ({ url: VIDEO_URL, ...more }))
const submit = (body: unknown, apiKey = key) =>
  supertest(api.app)
    .post('/api/v1/batch/process')
    .set('X-API-Key', apiKey)
    .send(body as object)
const get = (path: string, apiKey = key) => supertest(api.app).get(`/api/v1/batch/${path}`).set('X-API-Key', apiKey)

const account = (apiKey = key) => countRows(api.context, apiKey)

describe('POST /batch/process', () => {
  test('refuses a batch that exceeds the quota and uses none of it', async () => {
    expect((await submit({ videos: videos(daily - 5) })).status).toBe(202)
    const before = await account()
    const refused = await submit({ videos: videos(6) })
    expect(refused).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(refused.body.error).toMatchObject({
      retryable: true,
      details: { quota: 'daily', limit: daily, used: daily - 5, requested: 6 },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await account()).toEqual(before)
    expect((await submit({ videos: videos(5) })).status).toBe(202)
    expect((await submit({ videos: videos(1) })).status).toBe(429)
    expect(await account()).toEqual({ jobs: daily, batches: 2, accepted: daily, used: daily })
  })

  test('refuses a batch that is larger than the whole quota as not retryable', async () => {
    const refused = await submit({ videos: videos(daily + 1) })
    expect(refused).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(refused.body.error.retryable).toBe(false)
    expect(await account()).toEqual(NO_ROWS)
  })

  test('creates one batch for concurrent and repeated requests with the same idempotency key', async () => {
    const send = () => submit({ videos: videos(daily) }).set('Idempotency-Key', 'one')
    const responses = await Promise.all(Array.from({ length: 6 }, send))
    for (const { status } of responses) expect([202, 409]).toContain(status)
    const again = await send()
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true'])
    expect(await account()).toEqual({ jobs: daily, batches: 1, accepted: daily, used: daily })
    const other = await submit({ videos: videos(1) }).set('Idempotency-Key', 'one')
    expect(other).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('a repetition of a request without a stored response finds the batch that it created', async () => {
    const send = () => submit({ videos: videos(daily) }).set('Idempotency-Key', 'lost')
    const first = await send()
    await api.context.db.query(
      "UPDATE idempotency_keys SET response = NULL, locked_until = now() - interval '1 s' WHERE key = 'lost'",
    )
    const second = await send()
    expect([second.status, second.body.data]).toEqual([202, first.body.data])
    expect(await account()).toEqual({ jobs: daily, batches: 1, accepted: daily, used: daily })
  })
})

describe('GET /batch/status', () => {
  test('shows the batch, its counters and each of its jobs', async () => {
    const { body } = await submit({ videos: [...videos(2), { url: OTHER_URL }] })
    const { batch_id, jobs } = body.data
    const queued = await get(`status/${batch_id}`)
    expect(queued.headers['retry-after']).toBe('2')
    expect(queued.body.data).toMatchObject({
      batch_id,
      status: 'processing',
      progress_percentage: 0,
      summary_stats: { total: 3, queued: 3, processing: 0, successful: 0, failed: 0 },
      jobs: jobs.map((job: object) => ({ ...job, status: 'queued', progress_percentage: 0 })),
    })
    expect(queued.body.data.jobs[2]).toMatchObject({
      video_id: '9bZkp7q19f0',
      video_url: 'https://www.youtube.com/watch?v=9bZkp7q19f0',
    })

    await completeTestJob(api.context, jobs[0].job_id)
    await completeTestJob(api.context, jobs[1].job_id)
    const details = { reason: 'no_captions' }
    await failTestJob(api.context, jobs[2].job_id, new ServiceError('TRANSCRIPT_UNAVAILABLE', { details }))
    const ended = await get(`status/${batch_id}`)
    expect(ended.headers['retry-after']).toBeUndefined()
    expect(ended.body.data).toMatchObject({
      status: 'partial_failure',
      progress_percentage: 100,
      started_at: expect.any(String),
      completed_at: expect.any(String),
      created_at: body.data.created_at,
      summary_stats: { total: 3, queued: 0, processing: 0, successful: 2, failed: 1 },
      jobs: [
        { status: 'completed', progress_percentage: 100 },
        { status: 'completed' },
        { status: 'failed', error: { code: 'TRANSCRIPT_UNAVAILABLE', retryable: false, details } },
      ],
    })
    expect(await account()).toMatchObject({ accepted: 3, used: 2 })
  })

  test('responds the same way for batches of other accounts, unknown IDs and malformed IDs', async () => {
    const foreign = await acceptTestBatch(api.context, admin)
    for (const path of ['status', 'results']) {
      const responses = await Promise.all(
        [foreign, '0190b0c4-0000-7000-8000-000000000001', 'x'].map((id) => get(`${path}/${id}`)),
      )
      for (const response of responses) {
        expect(response).toBeRefused(404, 'NOT_FOUND')
        expect(response.body.error).toEqual(responses[0]?.body.error)
      }
    }
  })
})

describe('GET /batch/', () => {
  test('lists batches newest first with exact totals, by status, by offset and by cursor', async () => {
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.unshift(await acceptTestBatch(api.context, key, 2))
    const { body: status } = await get(`status/${ids[3]}`)
    for (const { job_id } of status.data.jobs) await failTestJob(api.context, job_id, new ServiceError('GEO_BLOCKED'))

    const whole = await get('')
    expect(whole.body.data.batches.map((batch: { batch_id: string }) => batch.batch_id)).toEqual(ids)
    expect(whole.body.data.pagination).toEqual({
      total: 7,
      limit: 20,
      offset: 0,
      has_more: false,
      next_offset: null,
      next_cursor: null,
    })
    expect(whole.body.data.batches[3]).toMatchObject({ status: 'failed', summary_stats: { total: 2, failed: 2 } })
    expect(whole.body.data.batches[0]).toMatchObject({ status: 'processing', summary_stats: { queued: 2 } })

    for (const name of BATCH_STATUSES) {
      const { body } = await get(`?status=${name}&limit=1`)
      const total = { processing: 6, failed: 1, completed: 0, partial_failure: 0 }[name]
      expect(body.data.pagination).toMatchObject({ total, has_more: total > 1 })
    }
    for (const follow of ['offset', 'cursor']) {
      const seen: string[] = []
      let next = ''
      do {
        const { body } = await get(`?limit=3${next}`)
        seen.push(...body.data.batches.map((batch: { batch_id: string }) => batch.batch_id))
        const place = body.data.pagination[`next_${follow}`]
        next = place === null ? '' : `&${follow}=${place}`
      } while (next !== '')
      expect(seen).toEqual(ids)
    }
    const { next_cursor: cursor } = (await get('?limit=2')).body.data.pagination
    for (const query of [`cursor=${cursor}&status=failed`, `cursor=${cursor}&offset=0`, 'cursor=x', 'limit=0']) {
      expect((await get(`?${query}`)).status).toBe(400)
    }
    expect((await get(`?cursor=${cursor}`, admin)).status).toBe(400)
  })
})
