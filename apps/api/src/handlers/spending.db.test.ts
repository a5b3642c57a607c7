import { type MessagesApi, startMessagesApi } from '@subtext/fakes'
import supertest from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { ask, completeTalk } from '../testing/chats.ts'

const api = useTestApi({ ANTHROPIC_API_KEY: 'test-key', SUMMARY_MODEL: 'claude-haiku-5-5' })
const URL = 'https://youtu.be/dQw4w9WgXcQ'

let key: string
let userId: string
beforeEach(async () => {
  key = await api.createKey()
  userId = (await holderOf(api.context, key)).userId
})

const post = (path: string, body: object) => supertest(api.app).post(`/api/v1${path}`).set('X-API-Key', key).send(body)
const limitMonth = (monthlyLimitUsd: number | null) =>
  api.context.db.prisma.user.update({ where: { id: userId }, data: { monthlyLimitUsd } })

/** Counts spending of the current month. */
async function spend(usedUsd: number) {
  const startsOn = new Date(`${api.context.clock().toISOString().slice(0, 7)}-01`)
  await api.context.db.prisma.spendingCounter.create({
    data: { scope: 'month', id: userId, startsOn, userId, usedUsd },
  })
}

const optionsOf = async (id: string) => (await api.context.db.prisma.job.findUniqueOrThrow({ where: { id } })).options

const readSpending = async () => {
  const response = await supertest(api.app).get('/api/v1/usage/current').set('X-API-Key', key)
  return response.body.data.spending.month
}

test('shows what was spent and reserved in the month', async () => {
  expect(await readSpending()).toMatchObject({ limit_usd: null, used_usd: 0, reserved_usd: 0 })
  await limitMonth(5)
  await spend(1.25)
  expect(await readSpending()).toEqual({
    limit_usd: 5,
    used_usd: 1.25,
    reserved_usd: 0,
    reset_at: expect.stringMatching(/-01T00:00:00.000Z$/),
  })
})

describe('when the month is used up', () => {
  beforeEach(async () => {
    await limitMonth(1)
    await spend(1)
  })

  test('refuses videos that need a model, in every form, with the time when the month ends', async () => {
    for (const [path, body] of [
      ['/videos/process', { url: URL }],
      ['/batch/process', { videos: [{ url: URL, options: { summary_modes: [] } }, { url: URL }] }],
    ] as const) {
      const response = await post(path, body)
      expect(response).toBeRefused(429, 'QUOTA_EXCEEDED')
      expect(response.body.error.details).toEqual({
        quota: 'spend',
        limit: 1,
        used: 1,
        reset_at: expect.stringMatching(/-01T00:00:00.000Z$/),
      })
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      const estimate = await post(path.replace('process', 'estimate'), body)
      expect(estimate.body.data).toMatchObject({
        would_accept: false,
        violations: [{ code: 'QUOTA_EXCEEDED', quota: 'spend', limit: 1, used: 1 }],
      })
    }
  })

  test('accepts what costs nothing', async () => {
    const body = { url: URL, options: { summary_modes: [] } }
    expect((await post('/videos/process', body)).status).toBe(202)
    expect((await post('/videos/estimate', body)).body.data.would_accept).toBe(true)
  })

  test('refuses a question and a derived job, which count toward no quota', async () => {
    const jobId = await completeTalk(api.context, key)
    expect(await ask(api.app, key, jobId)).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(await post(`/videos/derive/${jobId}`, { summary_modes: ['study_notes'] })).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(await api.context.db.prisma.chatExchange.count({ where: { userId } })).toBe(0)
  })
})

test('takes 0 as a limit of the month', async () => {
  await limitMonth(0)
  expect(await post('/videos/process', { url: URL })).toBeRefused(429, 'QUOTA_EXCEEDED')
})

describe('an import', () => {
  const CAPTIONS = 'WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n'
  const body = { title: 'Talk', captions: CAPTIONS }

  test('is refused like a video when the month is used up, and leaves no captions', async () => {
    await limitMonth(1)
    await spend(1)
    const imported = { videos: [{ import: body }] }
    for (const response of [await post('/videos/import', body), await post('/batch/process', imported)]) {
      expect(response).toBeRefused(429, 'QUOTA_EXCEEDED')
      expect(response.body.error.details).toMatchObject({ quota: 'spend', limit: 1, used: 1 })
    }
    expect(await api.context.db.prisma.transcript.count({ where: { ownerId: userId } })).toBe(0)
    expect((await post('/videos/import', { ...body, options: { summary_modes: [] } })).status).toBe(202)
  })

  test('keeps the limit of its job', async () => {
    const response = await post('/videos/import', { ...body, options: { max_cost_usd: 0.25 } })
    expect(await optionsOf(response.body.data.job_id)).toMatchObject({ max_cost_usd: 0.25 })
  })

  test('refuses a limit where the price of the model is unknown', async () => {
    await api.withEnv({ SUMMARY_MODEL: 'unheard-of' }, async (app) => {
      const response = await supertest(app)
        .post('/api/v1/videos/import')
        .set('X-API-Key', key)
        .send({ ...body, options: { max_cost_usd: 0.25 } })
      expect(response.status).toBe(400)
      expect(response.body.error.details.issues).toMatchObject([{ path: 'options.max_cost_usd' }])
    })
  })
})

test('accepts a job while something is left, whatever it may cost', async () => {
  await limitMonth(0.000001)
  expect((await post('/videos/process', { url: URL })).status).toBe(202)
})

test('stores the limits of a job and of a batch, and leaves that of the source out of a derived job', async () => {
  const job = await post('/videos/process', { url: URL, options: { max_cost_usd: 0.25 } })
  expect(await optionsOf(job.body.data.job_id)).toMatchObject({ max_cost_usd: 0.25 })
  const batch = await post('/batch/process', { videos: [{ url: URL }], max_cost_usd: 0 })
  const stored = await api.context.db.prisma.batch.findUniqueOrThrow({ where: { id: batch.body.data.batch_id } })
  expect(Number(stored.maxCostUsd)).toBe(0)
  const source = await completeTalk(api.context, key)
  await api.context.db.query(`UPDATE jobs SET options = options || '{"max_cost_usd": 1}' WHERE id = $1`, [source])
  const derived = await post(`/videos/derive/${source}`, { summary_modes: ['detailed'] })
  expect(await optionsOf(derived.body.data.job_id)).not.toHaveProperty('max_cost_usd')
})

test.each([-1, '1', 1e12])('refuses %j as a limit', async (limit) => {
  expect(await post('/videos/process', { url: URL, options: { max_cost_usd: limit } })).toBeRefused(
    400,
    'VALIDATION_ERROR',
  )
  expect(await post('/batch/process', { videos: [{ url: URL }], max_cost_usd: limit })).toBeRefused(
    400,
    'VALIDATION_ERROR',
  )
})

test('refuses limits where the price of the model is unknown', async () => {
  const jobId = await completeTalk(api.context, key)
  await api.withEnv({ SUMMARY_MODEL: 'a-model-of-ones-own' }, async (app) => {
    const refuse = async (path: string, body: object, issue: string) => {
      const response = await supertest(app).post(`/api/v1${path}`).set('X-API-Key', key).send(body)
      expect(response).toBeRefused(400, 'VALIDATION_ERROR')
      expect(response.body.error.details.issues).toEqual([
        expect.objectContaining({ path: issue, code: 'unknown_price' }),
      ])
    }
    const options = { max_cost_usd: 1 }
    await refuse('/videos/process', { url: URL, options }, 'options.max_cost_usd')
    await refuse('/batch/process', { videos: [{ url: URL }], max_cost_usd: 1 }, 'max_cost_usd')
    await refuse('/batch/process', { videos: [{ url: URL, options }] }, 'videos.0.options.max_cost_usd')
    await refuse(`/videos/derive/${jobId}`, { summary_modes: ['detailed'], max_cost_usd: 1 }, 'max_cost_usd')
  })
})

test('takes limits without a model, and never reaches them', async () => {
  await limitMonth(0)
  await api.withEnv({ SUMMARIZER: 'extractive', DAILY_SPEND_LIMIT_USD: '0' }, async (app) => {
    const body = { url: URL, options: { max_cost_usd: 0 } }
    expect((await supertest(app).post('/api/v1/videos/process').set('X-API-Key', key).send(body)).status).toBe(202)
  })
})

test('refuses what needs a model on a day that the installation has used up', async () => {
  await api.withEnv({ DAILY_SPEND_LIMIT_USD: '0' }, async (app) => {
    const response = await supertest(app).post('/api/v1/videos/process').set('X-API-Key', key).send({ url: URL })
    expect(response).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(response.body.error.details).toMatchObject({ quota: 'spend', limit: 0, used: 0 })
  })
})

describe('a question in a chat', () => {
  let provider: MessagesApi
  beforeAll(async () => {
    provider = await startMessagesApi()
  })
  afterAll(() => provider.close())

  const withProvider = (work: (app: Parameters<typeof ask>[0]) => Promise<void>) =>
    api.withEnv({ ANTHROPIC_BASE_URL: provider.baseUrl, MODEL_PRICES: 'claude-haiku-5-5=1/5/1.25/0.1' }, work)

  test('is charged exactly, and leaves no reservation', async () => {
    const jobId = await completeTalk(api.context, key)
    await withProvider(async (app) => {
      const response = await ask(app, key, jobId)
      expect(response.status).toBe(200)
      const { cost_usd } = response.body.data.usage
      expect(cost_usd).toBeGreaterThan(0)
      expect(await readSpending()).toMatchObject({ used_usd: cost_usd, reserved_usd: 0 })
    })
  })

  test.each([false, true])('is refused if its highest possible cost does not fit (stream: %s)', async (stream) => {
    const jobId = await completeTalk(api.context, key)
    await limitMonth(0.0001)
    const calls = provider.calls.length
    await withProvider(async (app) => {
      const response = await ask(app, key, jobId, { stream })
      expect(response).toBeRefused(429, 'QUOTA_EXCEEDED')
      expect(response.body.error.details).toMatchObject({ quota: 'spend', limit: 0.0001, used: 0 })
    })
    expect(provider.calls).toHaveLength(calls)
    const { used } = (await api.context.db.prisma.quotaUsage.findFirst({ where: { userId, period: 'chat_day' } })) ?? {}
    expect(used ?? 0).toBe(0)
  })

  test('keeps what it may have cost if the connection breaks', async () => {
    const jobId = await completeTalk(api.context, key)
    provider.failNext({ kind: 'dropped' }, { times: 3 })
    await withProvider(async (app) => {
      const response = await ask(app, key, jobId)
      expect(response.status).toBe(200)
      const { used_usd, reserved_usd } = await readSpending()
      expect(used_usd).toBeCloseTo(response.body.data.usage.cost_usd, 6)
      expect(reserved_usd).toBeGreaterThan(0)
    })
    provider.forgetFaults()
  })
})

test('a limit of one account is none of another', async () => {
  await limitMonth(1)
  await spend(1)
  const other = await api.createKey()
  const response = await supertest(api.app).post('/api/v1/videos/process').set('X-API-Key', other).send({ url: URL })
  expect(response.status).toBe(202)
})
