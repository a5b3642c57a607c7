import { type ErrorEnvelope, PLANS, ServiceError } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import type { z } from 'zod'
import type { RunningServer } from '../server.ts'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { failTestJob, VIDEO_URL } from '../testing/jobs.ts'

/** How often the submissions are repeated, each time with another account. */
const ROUNDS = Math.ceil(fuzzRuns() / 200)

let now = new Date('2026-03-10T12:00:00Z')
const api = useTestApi({}, () => now)
let servers: RunningServer[]

beforeAll(async () => {
  servers = await Promise.all([api.app, api.openBeside().app].map((app) => api.serve(app)))
})

interface Outcome {
  status: number
  retryAfter: number
  jobId: string
  error: z.infer<typeof ErrorEnvelope>['error'] | undefined
}

/** Submits once. `turn` selects the process. */
async function submit(key: string, turn = 0): Promise<Outcome> {
  const port = servers[turn % servers.length]?.port
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/videos/process`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: VIDEO_URL, client_reference: String(turn) }),
  })
  const body = (await response.json()) as { data?: { job_id: string }; error?: Outcome['error'] }
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    jobId: body.data?.job_id ?? '',
    error: body.error,
  }
}

const submitTogether = (key: string, count: number): Promise<Outcome[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => submit(key, turn)))

const accepted = (outcomes: Outcome[]): Outcome[] => outcomes.filter(({ status }) => status === 202)

/** Reads what is stored about an account: its jobs, the entries of the quota ledger, and the counters by period. */
async function readAccount(key: string) {
  const { userId } = await holderOf(api.context, key)
  const { rows: counters } = await api.context.db.query<{ name: string; used: number }>(
    `SELECT period || ' ' || starts_on AS name, used FROM quota_usage WHERE user_id = $1 ORDER BY period, starts_on`,
    [userId],
  )
  const { rows } = await api.context.db.query<{ jobs: number; reserved: number; released: number }>(
    `SELECT (SELECT count(*)::int FROM jobs WHERE user_id = $1) AS jobs,
       (SELECT count(*)::int FROM quota_entries WHERE user_id = $1 AND kind = 'reserve') AS reserved,
       (SELECT count(*)::int FROM quota_entries WHERE user_id = $1 AND kind = 'release') AS released`,
    [userId],
  )
  return { ...rows[0], counters: Object.fromEntries(counters.map(({ name, used }) => [name, used])) }
}

const { daily, monthly } = PLANS.pro.quota

test('200 concurrent submissions to two processes use up the daily quota exactly', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = await api.createKey()
    const outcomes = await submitTogether(key, 200)
    expect(accepted(outcomes)).toHaveLength(daily)
    const refused = outcomes.filter(({ status }) => status !== 202)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
    for (const { error, retryAfter } of refused) {
      expect(error).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        details: { quota: 'daily', limit: daily, used: daily, reset_at: '2026-03-11T00:00:00.000Z' },
      })
      expect(retryAfter).toBe(12 * 3_600)
    }
    expect(new Set(accepted(outcomes).map(({ jobId }) => jobId)).size).toBe(daily)
    expect(await readAccount(key)).toEqual({
      jobs: daily,
      reserved: daily,
      released: 0,
      counters: { 'day 2026-03-10': daily, 'month 2026-03-01': daily },
    })
  }
})

test('concurrent submissions of several accounts count against their own quotas', async () => {
  const keys = await Promise.all((['free', 'plus', 'pro'] as const).map((plan) => api.createKey({ plan })))
  const all = await Promise.all(keys.map((key) => submitTogether(key, 40)))
  expect(all.map((outcomes) => accepted(outcomes).length)).toEqual([3, 10, 30])
})

test('all keys of an account share one quota, and an admin has none', async () => {
  const email = 'two-keys@example.org'
  const keys = [await api.createKey({ email, plan: 'plus' }), await api.createKey({ email, plan: 'plus' })]
  const outcomes = await Promise.all(keys.map((key) => submitTogether(key, 10)))
  expect(accepted(outcomes.flat())).toHaveLength(10)

  const admin = await api.createKey({ plan: 'free', scopes: ['admin'] })
  expect(accepted(await submitTogether(admin, 40))).toHaveLength(40)
  expect(await readAccount(admin)).toEqual({ jobs: 40, reserved: 0, released: 0, counters: {} })
})

describe('the quota over time', () => {
  afterEach(() => {
    now = new Date('2026-03-10T12:00:00Z')
  })

  test('grants a new quota every day until the month is used up', async () => {
    const key = await api.createKey()
    for (let day = 1; day <= Math.floor(monthly / daily); day++) {
      now = new Date(Date.UTC(2026, 3, day, 23, 59, 59, 999))
      expect(accepted(await submitTogether(key, daily + 2))).toHaveLength(daily)
    }
    now = new Date('2026-04-20T06:00:00.001Z')
    const last = await submitTogether(key, daily)
    expect(accepted(last)).toHaveLength(monthly % daily)
    const refused = await submit(key)
    expect(refused.error).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { quota: 'monthly', limit: monthly, used: monthly, reset_at: '2026-05-01T00:00:00.000Z' },
    })
    // Rounded up, so that a client that waits this long retries after the reset.
    expect(refused.retryAfter).toBe(10 * 86_400 + 18 * 3_600)
    expect(await readAccount(key)).toMatchObject({ jobs: monthly, counters: { 'month 2026-04-01': monthly } })

    now = new Date('2026-05-01T00:00:00.000Z')
    expect((await submit(key)).status).toBe(202)
  })

  test('reports the longer wait when both quotas are used up', async () => {
    const key = await api.createKey({ plan: 'free' })
    expect(accepted(await submitTogether(key, 4))).toHaveLength(3)
    expect((await submit(key)).error?.details).toMatchObject({ quota: 'monthly', reset_at: '2026-04-01T00:00:00.000Z' })
  })

  test('counts the last millisecond of a year in that year', async () => {
    const key = await api.createKey({ plan: 'plus' })
    now = new Date('2026-12-31T23:59:59.999Z')
    expect(accepted(await submitTogether(key, 11))).toHaveLength(10)
    const refused = await submit(key)
    expect([refused.error?.details?.reset_at, refused.retryAfter]).toEqual(['2027-01-01T00:00:00.000Z', 1])
    now = new Date('2027-01-01T00:00:00.000Z')
    expect((await submit(key)).status).toBe(202)
  })

  test('gives the quota of a failed job back to the day of its submission', async () => {
    const key = await api.createKey({ plan: 'plus' })
    const [first, second] = accepted(await submitTogether(key, 11))
    expect((await submit(key)).status).toBe(429)
    await failTestJob(api.context, first?.jobId ?? '', new ServiceError('GEO_BLOCKED'))
    const again = await submitTogether(key, 5)
    expect(accepted(again)).toHaveLength(1)

    now = new Date('2026-03-11T00:00:01Z')
    expect((await submit(key)).status).toBe(202)
    await failTestJob(api.context, second?.jobId ?? '', new ServiceError('GEO_BLOCKED'))
    expect(await readAccount(key)).toEqual({
      jobs: 12,
      reserved: 12,
      released: 2,
      counters: { 'day 2026-03-10': 9, 'day 2026-03-11': 1, 'month 2026-03-01': 10 },
    })
  })
})

test('requests that are refused for another reason use no quota', async () => {
  const key = await api.createKey({ plan: 'plus' })
  const port = servers[0]?.port
  const bodies = ['{', '{}', '{"url":"https://vimeo.com/1"}', `{"url":"${VIDEO_URL}","priority":"high"}`]
  const statuses = await Promise.all(
    bodies.map(async (body) => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/videos/process`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      return response.status
    }),
  )
  expect(statuses).toEqual([400, 400, 400, 403])
  expect(await readAccount(key)).toEqual({ jobs: 0, reserved: 0, released: 0, counters: {} })
})
