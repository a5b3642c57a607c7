import { PLAN_NAMES, PLANS, SUMMARY_MODES, type VideoEstimate } from '@subtext/contracts'
import { fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import supertest from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'

/** A fixed seed, so that every run sends the same requests. */
const SEED = 20_261_122
const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'false', ANTHROPIC_API_KEY: 'key of nobody' })

const send = (path: string, body: object, as: string) =>
  supertest(api.app).post(`/api/v1${path}`).set('X-API-Key', as).send(body)

const HOOKS = ['https://93.184.216.34/hook', 'http://10.0.0.1/', 'https://u:p@93.184.216.34/']
const options = fc.record(
  {
    summary_modes: fc.subarray([...SUMMARY_MODES], { minLength: 1 }),
    generate_infographic: fc.boolean(),
    output_language: fc.constantFrom('de', 'ja'),
  },
  { requiredKeys: [] },
)
const video = fc.constantFrom('https://youtu.be/dQw4w9WgXcQ', 'https://youtu.be/9bZkp7q19f0', 'https://example.org/')
const single = fc.record(
  {
    url: video,
    options,
    priority: fc.constantFrom('normal', 'high'),
    webhook_url: fc.constantFrom(...HOOKS),
    custom_instructions: fc.constantFrom('Money.', ' '),
    use_proxy: fc.constantFrom(true, false, null),
    force_refresh: fc.boolean(),
  },
  { requiredKeys: ['url'] },
)
const batch = fc.record(
  {
    videos: fc.array(fc.record({ url: video, options }, { requiredKeys: ['url'] }), { minLength: 1, maxLength: 4 }),
    webhook_url: fc.constantFrom(...HOOKS),
  },
  { requiredKeys: ['videos'] },
)
const state = fc.record({
  plan: fc.constantFrom(...PLAN_NAMES),
  isAdmin: fc.boolean(),
  /** Videos left of the quotas. */
  left: fc.integer({ min: 0, max: 5 }),
  period: fc.constantFrom('day' as const, 'month' as const),
})
type AccountState = typeof state extends fc.Arbitrary<infer State> ? State : never
const request = fc.oneof(
  single.map((body) => ({ estimated: '/videos/estimate', submitted: '/videos/process', body })),
  batch.map((body) => ({ estimated: '/batch/estimate', submitted: '/batch/process', body })),
)
const keys = new Map<string, string>()

async function keyFor({ plan, isAdmin, left, period }: AccountState): Promise<string> {
  const name = `${plan} ${isAdmin}`
  const scopes = isAdmin ? (['admin'] as const) : (['read', 'write'] as const)
  const own = keys.get(name) ?? (await api.createKey({ plan, scopes: [...scopes] }))
  keys.set(name, own)
  const { userId } = await holderOf(api.context, own)
  await api.context.db.query(
    `INSERT INTO quota_usage (user_id, period, starts_on, used)
     VALUES ($1, 'day', (now() AT TIME ZONE 'UTC')::date, $2), ($1, 'month', date_trunc('month', now() AT TIME ZONE 'UTC')::date, $3)
     ON CONFLICT (user_id, period, starts_on) DO UPDATE SET used = excluded.used`,
    [
      userId,
      period === 'day' ? Math.max(0, PLANS[plan].quota.daily - left) : 0,
      period === 'month' ? Math.max(0, PLANS[plan].quota.monthly - left) : 0,
    ],
  )
  return own
}

test('an estimate says what happens when the same request is submitted next', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(request, state, async ({ estimated, submitted, body }, account) => {
      const own = await keyFor(account)
      const said = await send(estimated, body, own)
      const done = await send(submitted, body, own)
      if (said.status === 200) {
        const { would_accept, violations } = said.body.data
        seen.add(String(would_accept))
        expect([done.status === 202, violations.length === 0]).toEqual([would_accept, would_accept])
        if (!would_accept)
          expect((violations as VideoEstimate['violations']).map(({ code }) => code)).toContain(done.body.error.code)
      } else {
        seen.add(said.body.error.code)
        expect([said.status, said.body.error]).toEqual([done.status, done.body.error])
      }
    }),
    { seed: SEED, numRuns: Math.ceil(fuzzRuns() / 3) },
  )
  expect([...seen].sort()).toEqual(['INVALID_VIDEO_URL', 'VALIDATION_ERROR', 'false', 'true'])
})

test('an estimate says no if it is the last request that the limit allows', async () => {
  await api.withEnv({ RATE_LIMIT_PRO: '3' }, async (app) => {
    const own = await api.createKey()
    const post = (path: string) =>
      supertest(app).post(`/api/v1${path}`).set('X-API-Key', own).send({ url: 'https://youtu.be/dQw4w9WgXcQ' })
    expect((await post('/videos/estimate')).body.data.would_accept).toBe(true)
    expect((await post('/videos/process')).status).toBe(202)
    expect((await post('/videos/estimate')).body.data).toMatchObject({
      would_accept: false,
      violations: [{ code: 'RATE_LIMITED', limit: 3, used: 3 }],
    })
    expect(await post('/videos/process')).toBeRefused(429, 'RATE_LIMITED')
  })
})
