import { randomUUID } from 'node:crypto'
import { recordWebhookEvent } from '@subtext/core/webhooks'
import { waitUntil } from '@subtext/embedded/testing'
import { createNotifier } from '@subtext/queue'
import supertest, { type Response } from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'

const URL = 'https://hooks.example.org/subtext?token=a'
const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
let key: string

beforeEach(async () => {
  key = await api.createKey()
})

const get = (path: string, as = key): Promise<Response> =>
  supertest(api.app).get(`/api/v1/webhooks${path}`).set('X-API-Key', as)
const post = (path: string, body?: object, headers: Record<string, string> = {}, as = key): Promise<Response> => {
  const request = supertest(api.app)
    .post(`/api/v1/webhooks${path}`)
    .set({ 'X-API-Key': as, ...headers })
  return body ? request.send(body) : request
}
const once = (name: string) => ({ 'Idempotency-Key': name })
const userOf = async (as = key): Promise<string> => (await holderOf(api.context, as)).userId

/** Stores an event about a job with its delivery. */
async function store(as = key) {
  const event = {
    id: randomUUID(),
    deliveryId: randomUUID(),
    userId: await userOf(as),
    type: 'job.completed' as const,
    subjectId: randomUUID(),
    url: URL,
    body: Buffer.from('{"a":1}'),
    createdAt: new Date(),
  }
  await recordWebhookEvent(api.context.db, event)
  return event
}
const end = (id: string, status: string, attempts = 1) =>
  api.context.db.query(
    `UPDATE webhook_deliveries SET status = $2::delivery_status, attempts = $3, ready = false WHERE id = $1`,
    [id, status, attempts],
  )

/** Requests redeliveries until their effect has happened. */
async function redeliverUntil(id: string, happened: () => boolean): Promise<void> {
  await waitUntil('the redelivery has its effect', async () => {
    if (happened()) return true
    await api.context.db.query('UPDATE webhook_deliveries SET redelivered_at = NULL WHERE id = $1', [id])
    await post(`/deliveries/${id}/redeliver`)
    return false
  })
}

describe('a test event', () => {
  test('creates a delivery like any other event', async () => {
    const notified: string[] = []
    const notifier = createNotifier({ url: api.settings.REDIS_URL ?? '', prefix: api.settings.QUEUE_PREFIX ?? '' }, [
      'delivery',
    ])
    notifier.subscribe('delivery', (id) => notified.push(id))
    const response = await post('/test', { url: URL })
    expect(response.status).toBe(202)
    const { delivery_id: id, event_id: eventId } = response.body.data
    expect(response.headers.location).toBe(`/api/v1/webhooks/deliveries/${id}`)
    expect(response.body.data).toEqual({
      delivery_id: id,
      event_id: eventId,
      event: 'webhook.test',
      url: URL,
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const { rows } = await api.context.db.query<{ body: Buffer }>('SELECT body FROM webhook_events WHERE id = $1', [
      eventId,
    ])
    expect(JSON.parse(String(rows[0]?.body))).toEqual({
      id: eventId,
      event: 'webhook.test',
      created_at: response.body.data.created_at,
      api_version: 'v1',
      data: { test: true, message: expect.any(String) },
    })
    expect((await get(`/deliveries/${id}`)).body.data).toEqual({
      ...response.body.data,
      attempts: [],
      request_body: expect.stringContaining('"event":"webhook.test"'),
      request_bytes: expect.any(Number),
    })
    // The subscription may have started after the notification; that of a redelivery comes later.
    await redeliverUntil(id, () => notified.includes(id))
    await notifier.close()
  })

  test('creates one test event for repeated requests with the same idempotency key', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => post('/test', { url: URL }, once('test'))))
    responses.push(await post('/test', { url: URL }, once('test')))
    const made = responses.filter(({ status }) => status === 202).map(({ body }) => body.data.delivery_id)
    expect(new Set(made).size).toBe(1)
    expect((await get('/deliveries')).body.data.pagination.total).toBe(1)
    const reused = await post('/test', { url: `${URL}b` }, once('test'))
    expect(reused).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
  })

  test.each([
    ['http://user:pass@example.org/', 'url'],
    ['ftp://example.org/', 'url'],
    ['nothing', 'url'],
    ['', 'url'],
    [7, 'url'],
  ])('refuses a test event for the URL %j', async (url, path) => {
    expect(await post('/test', { url })).toBeRefused(400, 'VALIDATION_ERROR', path)
    expect((await get('/deliveries')).body.data.pagination.total).toBe(0)
  })

  test('refuses a test event for private addresses like a submission', async () => {
    const guarded = api.openBeside({ WEBHOOK_ALLOW_PRIVATE: 'false' })
    for (const url of ['http://127.0.0.1/', 'http://2130706433/', 'http://[::ffff:a9fe:a9fe]/', 'http://localhost/']) {
      const test = await supertest(guarded.app).post('/api/v1/webhooks/test').set('X-API-Key', key).send({ url })
      const submission = await supertest(guarded.app)
        .post('/api/v1/videos/process')
        .set('X-API-Key', key)
        .send({ url: 'https://youtu.be/dQw4w9WgXcQ', webhook_url: url })
      expect(test).toBeRefused(400, 'VALIDATION_ERROR', 'url')
      const [{ message, code }] = test.body.error.details.issues
      expect(submission.body.error.details.issues).toEqual([
        { path: 'webhook_url', message: message.replace('`url`', '`webhook_url`'), code },
      ])
    }
  })
})

describe('the list of deliveries', () => {
  test('lists deliveries by cursor and by offset while others are added', async () => {
    const ids: string[] = []
    for (let nth = 0; nth < 7; nth++) ids.unshift((await post('/test', { url: URL })).body.data.delivery_id)
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 4; page++) {
      const { body } = await get(`/deliveries?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(body.data.pagination).toMatchObject({ limit: 2, offset: page * 2, total: 7 + page, has_more: page < 3 })
      seen.push(...body.data.deliveries.map((one: { delivery_id: string }) => one.delivery_id))
      cursor = body.data.pagination.next_cursor ?? ''
      await post('/test', { url: URL })
    }
    expect([seen, cursor]).toEqual([ids, ''])
    const offset = await get('/deliveries?limit=3&offset=4')
    expect(offset.body.data.deliveries.map((one: { delivery_id: string }) => one.delivery_id)).toEqual(ids.slice(0, 3))
  })

  test('filters deliveries by status, event and job', async () => {
    const event = await store()
    const other = await store()
    await end(other.deliveryId, 'failed')
    const test = (await post('/test', { url: URL })).body.data.delivery_id
    const listed = async (query: string) =>
      (await get(`/deliveries${query}`)).body.data.deliveries.map((one: { delivery_id: string }) => one.delivery_id)
    expect(await listed('?status=failed')).toEqual([other.deliveryId])
    expect(await listed('?event=webhook.test')).toEqual([test])
    expect(await listed(`?job_id=${event.subjectId}`)).toEqual([event.deliveryId])
    expect(await listed(`?job_id=${event.subjectId.toUpperCase()}`)).toEqual([event.deliveryId])
    expect(await listed(`?job_id=${randomUUID()}`)).toEqual([])
    expect(await listed(`?job=${event.subjectId}`)).toEqual([event.deliveryId])
    expect(await listed(`?job=${event.subjectId}&job_id=${event.subjectId.toUpperCase()}`)).toEqual([event.deliveryId])
    const conflict = await get(`/deliveries?job=${event.subjectId}&job_id=${randomUUID()}`)
    expect(conflict).toBeRefused(400, 'VALIDATION_ERROR', 'query.job')
    expect(conflict.body.error.details.issues).toMatchObject([{ code: 'conflicting_fields' }])
    expect(await listed(`?job_id=${event.subjectId}&status=failed`)).toEqual([])
    expect(await listed('?event=job.completed&status=failed')).toEqual([other.deliveryId])
    expect((await get(`/deliveries?status=failed`)).body.data.deliveries[0]).toMatchObject({ job_id: other.subjectId })
  })

  test('refuses a cursor with an offset, from another account, or from other filters', async () => {
    for (let nth = 0; nth < 2; nth++) await post('/test', { url: URL })
    const { next_cursor: cursor } = (await get('/deliveries?limit=1&event=webhook.test')).body.data.pagination
    expect((await get(`/deliveries?limit=1&event=webhook.test&cursor=${cursor}`)).status).toBe(200)
    const stranger = await api.createKey()
    const refused = [
      await get(`/deliveries?cursor=${cursor}`),
      await get(`/deliveries?event=job.failed&cursor=${cursor}`),
      await get(`/deliveries?event=webhook.test&status=failed&cursor=${cursor}`),
      await get(`/deliveries?event=webhook.test&job_id=${randomUUID()}&cursor=${cursor}`),
      await get(`/deliveries?event=webhook.test&offset=0&cursor=${cursor}`),
      await get(`/deliveries?event=webhook.test&cursor=${cursor}`, stranger),
    ]
    for (const response of refused) expect(response).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
  })

  test.each([
    'status=done',
    'event=job',
    'job_id=x',
    'job=x',
    'limit=0',
    'limit=101',
    'offset=-1',
    'cursor=x',
    'page=2',
  ])('refuses ?%s', async (query) => {
    expect(await get(`/deliveries?${query}`)).toBeRefused(400, 'VALIDATION_ERROR')
  })
})

describe('a redelivery', () => {
  test('makes a delivery that has ended due again at once, with a new schedule', async () => {
    const { deliveryId } = await store()
    for (const status of ['delivered', 'failed', 'skipped']) {
      await end(deliveryId, status, 3)
      await api.context.db.query('UPDATE webhook_deliveries SET redelivered_at = NULL')
      const response = await post(`/deliveries/${deliveryId}/redeliver`)
      expect(response.status).toBe(202)
      expect(response.body.data).toMatchObject({ delivery_id: deliveryId, status: 'pending', attempt_count: 3 })
      expect(Date.parse(response.body.data.next_attempt_at)).toBeLessThanOrEqual(Date.now() + 1_000)
    }
  })

  test('redelivers once for several requests in a row', async () => {
    const { deliveryId } = await store()
    await end(deliveryId, 'failed', 3)
    const responses = await Promise.all([1, 2, 3, 4].map(() => post(`/deliveries/${deliveryId}/redeliver`)))
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    // The redelivery was completed before the last request arrived.
    await end(deliveryId, 'delivered', 4)
    const late = await post(`/deliveries/${deliveryId}/redeliver`)
    expect([late.status, late.body.data.status]).toEqual([202, 'delivered'])
  })

  test('refuses an idempotency key that was used for another delivery', async () => {
    const [one, other] = [await store(), await store()]
    await Promise.all([end(one.deliveryId, 'failed'), end(other.deliveryId, 'failed')])
    const first = await post(`/deliveries/${one.deliveryId}/redeliver`, undefined, once('again'))
    const again = await post(`/deliveries/${one.deliveryId}/redeliver`, undefined, once('again'))
    expect([again.headers['idempotent-replayed'], again.body.data]).toEqual(['true', first.body.data])
    const reused = await post(`/deliveries/${other.deliveryId}/redeliver`, undefined, once('again'))
    expect(reused).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
    expect((await get(`/deliveries/${other.deliveryId}`)).body.data.status).toBe('failed')
  })
})

describe('access to the webhook routes', () => {
  const calls = (id: string): [string, (as: string) => Promise<Response>][] => [
    ['secret', (as) => get('/secret', as)],
    ['rotate', (as) => post('/secret/rotate', undefined, {}, as)],
    ['deliveries', (as) => get('/deliveries', as)],
    ['delivery', (as) => get(`/deliveries/${id}`, as)],
    ['redeliver', (as) => post(`/deliveries/${id}/redeliver`, undefined, {}, as)],
    ['test', (as) => post('/test', { url: URL }, {}, as)],
  ]

  test.each(['free', 'plus'] as const)(
    'refuses every route on the plan %s and names the required plan',
    async (plan) => {
      const as = await api.createKey({ plan })
      for (const [, call] of calls(randomUUID())) {
        const response = await call(as)
        expect(response).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
        expect(response.body.error.details).toEqual({
          feature: 'webhooks',
          current_plan: plan,
          required_plan: 'pro',
          violations: [{ feature: 'webhooks', required_plan: 'pro' }],
        })
      }
      const { rows } = await api.context.db.query('SELECT FROM webhook_secrets WHERE user_id = $1', [await userOf(as)])
      expect(rows).toEqual([])
    },
  )

  test('serves an admin on any plan, for their own account only', async () => {
    const as = await api.createKey({ plan: 'free', scopes: ['admin'] })
    const own = await store(as)
    for (const [name, call] of calls(own.deliveryId)) {
      const { status } = await call(as)
      expect([name, status < 300]).toEqual([name, true])
    }
    const foreign = await store()
    for (const name of ['delivery', 'redeliver']) {
      const { status } = (await calls(foreign.deliveryId).find(([one]) => one === name)?.[1](as)) ?? { status: 0 }
      expect([name, status]).toEqual([name, 404])
    }
  })
})
