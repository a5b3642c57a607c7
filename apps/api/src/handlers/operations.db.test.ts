import { randomUUID } from 'node:crypto'
import { API_PREFIX } from '@subtext/contracts'
import { setOperator } from '@subtext/core/operations'
import supertest from 'supertest'
import { v7 as newId } from 'uuid'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi()
const BY = { command: 'root on server' }
const read = ({ headers }: TestSession, path = '', query: object = {}) =>
  supertest(api.app).get(`${API_PREFIX}/operations${path}`).query(query).set(headers)
const openSession = (options: object = {}) => createTestSession(api, { isOperator: true, ...options })

test.each(['', '/accounts'])(
  'only operators may read /operations%s, and only while they are operators',
  async (path) => {
    const operator = await openSession()
    expect((await read(operator, path)).status).toBe(200)
    const other = await createTestSession(api)
    const refused = await read(other, path)
    expect(refused).toBeRefused(403, 'INSUFFICIENT_SCOPE')
    expect(refused.body.error.message).toBe('Only operators can see this.')
    expect(await setOperator(api.context, BY, operator.email, false)).toBe(true)
    expect(await read(operator, path)).toBeRefused(403, 'INSUFFICIENT_SCOPE')
  },
)

test('the account says whether it is an operator, and operators have no other rights', async () => {
  const operator = await openSession({ plan: 'free' })
  const { body } = await supertest(api.app).get(`${API_PREFIX}/account`).set(operator.headers)
  expect(body.data).toMatchObject({ operator: true, plan: 'free' })
  const sync = supertest(api.app).post(`${API_PREFIX}/videos/process-sync`).set(operator.headers)
  expect(await sync.send({ url: 'https://youtu.be/dQw4w9WgXcQ' })).toBeRefused(403, 'INSUFFICIENT_SCOPE')
  expect(await setOperator(api.context, BY, 'nobody@example.org', true)).toBe(false)
})

test('the overview follows jobs, deliveries, spending, accounts and keys', async () => {
  const { db } = api.context
  const operator = await openSession()
  const before = (await read(operator)).body.data
  const email = `${randomUUID()}@example.org`
  const key = await api.createKey({ email, plan: 'plus' })
  await acceptTestJob(api.context, key)
  await db.query(`UPDATE jobs SET created_at = now() - interval '90 seconds' WHERE status = 'queued'`)
  await completeTestJob(api.context, await acceptTestJob(api.context, key))
  const paid = [newId(), newId({ msecs: Date.now() - 2 * 3_600_000 })]
  await db.query(
    `INSERT INTO summaries (id, cache_key, transcript_id, mode, content, model, input_tokens, output_tokens, cached_tokens,
       cache_write_tokens, cost_usd, created_at)
     SELECT id, '\\x00', id, 'tldr', '{}', 'model-c', 100, 10, 1, 0, 0.25, now() FROM unnest($1::uuid[]) AS ids (id)`,
    [paid],
  )
  await db.query(
    `INSERT INTO job_spendings (id, job_id, purpose, model, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
       cost_usd, shared, created_at)
     SELECT id, id, 'notes', 'model-b', 7, 1, 0, 0, 0.5, shared, now()
     FROM unnest($1::uuid[], '{true,false}'::boolean[]) AS spendings (id, shared)`,
    // The clock of the process that paid for the second one was ahead.
    [[newId(), newId({ msecs: Date.now() + 2 * 3_600_000 })]],
  )
  await db.query(
    `INSERT INTO usage_rollups (user_id, api_key_id, span, starts_at, videos, input_tokens, cost_usd)
     SELECT id, id, span, date_trunc('day', now(), 'UTC'), 3, 40, 1.5
     FROM users, unnest('{hour,day}'::rollup_span[]) AS spans (span) WHERE email = $1`,
    [email],
  )
  await db.query(
    `INSERT INTO webhook_endpoints (key, user_id, url, failing_since, failed_events, updated_at)
     SELECT id, id, 'https://hooks.example.org/x', now(), 4, now() FROM users WHERE email = $1`,
    [email],
  )
  const after = (await read(operator)).body.data
  const normal = (overview: { lanes: { lane: string }[] }) => overview.lanes.find(({ lane }) => lane === 'normal')
  expect(normal(after)).toMatchObject({ waiting: 1, running: 0 })
  expect((normal(after) as { oldest_waiting_seconds?: number }).oldest_waiting_seconds).toBeGreaterThanOrEqual(90)
  // The completed job has used a third one.
  expect(after.spending.models_last_hour.slice(0, 2)).toEqual([
    { model: 'model-b', cost_usd: 0.5, input_tokens: 7, output_tokens: 1, cached_input_tokens: 0 },
    { model: 'model-c', cost_usd: 0.25, input_tokens: 100, output_tokens: 10, cached_input_tokens: 1 },
  ])
  expect(after.spending.days).toHaveLength(30)
  expect(after.spending.days[0].videos - before.spending.days[0].videos).toBe(3)
  expect(after.spending.days[0].cost_usd - before.spending.days[0].cost_usd).toBeCloseTo(1.5, 6)
  expect(after.webhooks.failing_endpoints).toMatchObject([{ email, failed_events: 4, disabled_at: null }])
  expect(after.accounts.total).toBe(before.accounts.total + 1)
  expect(after.accounts.by_plan.plus).toBe(before.accounts.by_plan.plus + 1)
  expect(after.keys.active).toBe(before.keys.active + 1)
})

test('all accounts are listed page by page with their keys, and found by address', async () => {
  const operator = await openSession()
  const email = `${randomUUID()}@example.org`
  await api.createKey({ email, plan: 'plus' })
  const revoked = await api.createKey({ email, plan: 'plus' })
  await api.context.db.query('UPDATE api_keys SET revoked_at = now() WHERE last_four = $1', [revoked.slice(-4)])
  const seen: string[] = []
  let query: object = { limit: 2 }
  for (;;) {
    const { data } = (await read(operator, '/accounts', query)).body
    seen.push(...data.accounts.map((account: { email: string }) => account.email))
    if (!data.pagination.has_more) {
      expect(data.pagination.total).toBe(seen.length)
      break
    }
    query = { limit: 2, cursor: data.pagination.next_cursor }
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining([operator.email, email]))
  const found = (await read(operator, '/accounts', { email: ` ${email.toUpperCase()}` })).body.data
  expect(found.pagination.total).toBe(1)
  expect(found.accounts).toMatchObject([{ email, plan: 'plus', operator: false, keys: [{ status: 'active' }] }])
  expect(JSON.stringify(found)).not.toContain(revoked)
  const nobody = (await read(operator, '/accounts', { email: 'nobody@example.org' })).body.data
  expect([nobody.accounts, nobody.pagination.total]).toEqual([[], 0])
  const { next_cursor: cursor } = (await read(operator, '/accounts', { limit: 1 })).body.data.pagination
  expect(await read(operator, '/accounts', { cursor, email })).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
})
