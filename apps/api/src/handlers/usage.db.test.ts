import { randomUUID } from 'node:crypto'
import { API_PREFIX, CurrentUsage, ServiceError, type UsagePeriod } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import supertest, { type Response } from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob, failTestJob, VIDEO_URL } from '../testing/jobs.ts'
import { EMPTY_USAGE } from '../testing/usage.ts'

/** A Saturday; its ISO week began on Monday the 16th. */
const START = new Date('2026-11-21T12:30:00.000Z')

const api = useTestApi({}, () => now)
let now = START

beforeEach(() => {
  now = START
})

const get = (key: string, path: string, app = api.app): Promise<Response> =>
  supertest(app).get(`${API_PREFIX}${path}`).set('X-API-Key', key)

async function currentUsage(key: string, app = api.app): Promise<CurrentUsage> {
  const response = await get(key, '/usage/current', app)
  expect(response.status).toBe(200)
  return CurrentUsage.parse(response.body.data)
}

describe('/usage/current', () => {
  test('shows an empty period and its end for a new account', async () => {
    const response = await get(await api.createKey({ plan: 'plus' }), '/usage/current')
    expect(response.body.data).toEqual({
      current_period: { ...EMPTY_USAGE, start_date: '2026-11-01T00:00:00.000Z', end_date: '2026-12-01T00:00:00.000Z' },
      rate_limits: { requests_per_hour: expect.anything() },
      plan: 'plus',
      spending: { month: { limit_usd: null, used_usd: 0, reserved_usd: 0, reset_at: '2026-12-01T00:00:00.000Z' } },
      quotas: {
        daily: { limit: 10, used: 0, remaining: 10, reset_at: '2026-11-22T00:00:00.000Z' },
        monthly: { limit: 50, used: 0, remaining: 50, reset_at: '2026-12-01T00:00:00.000Z' },
      },
    })
  })

  test('shows the same request window as the headers', async () => {
    const key = await api.createKey()
    await get(key, '/usage/current')
    const { headers, body } = await get(key, '/usage/current')
    const { reset_at, ...window } = body.data.rate_limits.requests_per_hour
    expect(window).toEqual({
      limit: Number(headers['x-ratelimit-limit']),
      used: Number(headers['x-ratelimit-used']),
      remaining: Number(headers['x-ratelimit-remaining']),
    })
    expect(window.used).toBe(2)
    expect(Math.ceil(Date.parse(reset_at) / 1_000)).toBe(Number(headers['x-ratelimit-reset']))
  })

  test('counts reserved quota, but not what was given back', async () => {
    const key = await api.createKey({ plan: 'plus' })
    const quota = { daily: 10, monthly: 50 }
    const first = await acceptTestJob(api.context, key, { quota })
    await acceptTestJob(api.context, key, { quota })
    expect((await currentUsage(key)).quotas).toMatchObject({
      daily: { used: 2, remaining: 8 },
      monthly: { used: 2, remaining: 48 },
    })
    await failTestJob(api.context, first, new ServiceError('VIDEO_UNAVAILABLE'))
    expect((await currentUsage(key)).quotas).toMatchObject({ daily: { used: 1 }, monthly: { used: 1 } })
    now = new Date('2026-11-22T00:00:00.000Z')
    expect((await currentUsage(key)).quotas).toMatchObject({ daily: { used: 0 }, monthly: { used: 1 } })
  })

  test('shows no quota limits for an admin', async () => {
    const { quotas } = await currentUsage(await api.createKey({ scopes: ['admin'] }))
    expect(quotas).toMatchObject({ daily: { limit: null, used: 0, remaining: null }, monthly: { limit: null } })
  })

  test('covers all keys of the account and no other account', async () => {
    const account = { email: 'two-keys@example.org' }
    const [first, second] = [await api.createKey(account), await api.createKey(account)]
    const other = await api.createKey()
    for (const key of [first, first, second, other])
      await completeTestJob(api.context, await acceptTestJob(api.context, key))
    expect((await currentUsage(second)).current_period).toMatchObject({
      videos_processed: 3,
      total_tokens: 45,
      total_cost: 0.003,
    })
    expect((await currentUsage(other)).current_period).toMatchObject({
      videos_processed: 1,
      total_tokens: 15,
      total_cost: 0.001,
    })
  })
})

describe('the request counts', () => {
  test('include each request with a valid key once, by its outcome', async () => {
    const key = await api.createKey({ scopes: ['read'] })
    const responses = [
      await get(key, '/usage/history'),
      await get(key, '/usage/history?limit=x'),
      await get(key, `/videos/status/${randomUUID()}`),
      await get(key, '/no/such/route'),
      await supertest(api.app).delete(`${API_PREFIX}/usage/current`).set('X-API-Key', key),
      await supertest(api.app).post(`${API_PREFIX}/videos/process`).set('X-API-Key', key).send({ url: VIDEO_URL }),
      await supertest(api.app).get(`${API_PREFIX}/usage/current`),
      await get(`sk_${'0'.repeat(64)}`, '/usage/current'),
    ]
    expect(responses.map((response) => response.status)).toEqual([200, 400, 404, 404, 405, 403, 401, 401])
    const counted = { total_requests: 6, successful_requests: 1, failed_requests: 5 }
    const { current_period } = await currentUsage(key)
    expect(current_period).toMatchObject(counted)
    const { data } = (await get(key, '/usage/history?granularity=hourly&limit=1')).body
    expect(data.periods).toMatchObject([
      {
        start_date: '2026-11-21T12:00:00.000Z',
        end_date: '2026-11-21T13:00:00.000Z',
        total_requests: 7,
        successful_requests: 2,
        failed_requests: 5,
      },
    ])
  })

  test('include requests over the limit as failures', async () => {
    const strict = api.openBeside({ RATE_LIMIT_PLUS: '2' })
    const key = await api.createKey({ plan: 'plus' })
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await get(key, '/usage/history', strict.app)).status)
    expect(statuses).toEqual([200, 200, 429, 429, 429])
    await strict.close()
    expect((await currentUsage(key)).current_period).toMatchObject({
      total_requests: 5,
      successful_requests: 2,
      failed_requests: 3,
    })
  })

  test('include the requests of other processes once those have written them', async () => {
    const beside = api.openBeside()
    const key = await api.createKey()
    for (let n = 0; n < 3; n++) await get(key, '/usage/current', beside.app)
    await beside.close()
    expect((await currentUsage(key)).current_period.total_requests).toBe(3)
  })

  test('include requests whose caller disconnected early as failures', async () => {
    const key = await api.createKey()
    const job = await acceptTestJob(api.context, key)
    const { port } = await api.serve()
    const leave = new AbortController()
    const url = `http://127.0.0.1:${port}${API_PREFIX}/videos/status/${job}?wait=60`
    const left = fetch(url, { headers: { 'X-API-Key': key }, signal: leave.signal })
    const used = async () => (await currentUsage(key)).rate_limits.requests_per_hour.used
    let own = 0
    await waitUntil('the waiting request is counted', async () => (await used()) !== ++own)
    leave.abort()
    await expect(left).rejects.toThrow()
    const period = await waitUntil('the failure is counted', async (): Promise<UsagePeriod | false> => {
      const { current_period: current } = await currentUsage(key)
      return current.failed_requests > 0 && current
    })
    expect(period).toMatchObject({ failed_requests: 1 })
  })
})

test('both routes require only the scope read', async () => {
  for (const path of ['/usage/current', '/usage/history']) {
    expect((await get(await api.createKey({ scopes: ['write'] }), path)).status).toBe(403)
    expect((await get(await api.createKey({ scopes: ['read'], plan: 'free' }), path)).status).toBe(200)
  }
  expect((await get(await api.createKey(), '/usage/current?limit=1')).status).toBe(400)
})
