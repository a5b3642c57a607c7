import { randomUUID } from 'node:crypto'
import { API_PREFIX } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'
import { createTestSession } from '../testing/sessions.ts'

const api = useTestApi({}, () => now)
let now = new Date('2026-11-21T12:30:00.000Z')

beforeEach(() => {
  now = new Date('2026-11-21T12:30:00.000Z')
})

const get = async (path: string, headers: Record<string, string>) =>
  supertest(api.app).get(`${API_PREFIX}${path}`).set(headers)
const read = async (headers: Record<string, string>, query = '') =>
  (await get(`/usage/breakdown${query}`, headers)).body.data

test('counts the requests of a key by endpoint, and leaves out paths and methods that do not exist', async () => {
  const headers = { 'X-API-Key': await api.createKey() }
  for (const path of [`/videos/status/${randomUUID()}`, '/videos/', '/videos/', '/no/such/route'])
    await get(path, headers)
  await supertest(api.app).head(`${API_PREFIX}/videos/`).set(headers)
  await supertest(api.app).delete(`${API_PREFIX}/videos/`).set(headers)
  expect((await read(headers)).endpoints).toEqual([
    { endpoint: 'GET /videos/', total_requests: 3, successful_requests: 3, failed_requests: 0 },
    { endpoint: 'GET /videos/status/{job_id}', total_requests: 1, successful_requests: 0, failed_requests: 1 },
  ])
})

test('shows a key its own usage, and a person that of every key and of the dashboard', async () => {
  const account = { email: `${randomUUID()}@example.org` }
  const [first, second] = [await api.createKey(account), await api.createKey(account)]
  const session = await createTestSession(api, account)
  for (const key of [first, first, second]) await get('/videos/', { 'X-API-Key': key })
  await get('/videos/', session.headers)
  await completeTestJob(api.context, await acceptTestJob(api.context, first))
  const { keys } = await read({ 'X-API-Key': first })
  expect(keys).toMatchObject([{ last_four: first.slice(-4), total_requests: 2, videos_processed: 1, total_tokens: 15 }])
  const all = await read(session.headers)
  expect(all.keys).toMatchObject([
    { last_four: first.slice(-4), total_requests: 3, total_cost: 0.001 },
    { last_four: second.slice(-4), total_requests: 1, total_cost: 0 },
    { key_id: null, last_four: null, total_requests: 1 },
  ])
  expect(all.endpoints[0]).toMatchObject({ endpoint: 'GET /videos/', total_requests: 4 })
})

test('sums the summaries of completed jobs by mode', async () => {
  const key = await api.createKey()
  const headers = { 'X-API-Key': key }
  for (const mode of ['tldr', 'detailed', 'tldr'] as const) {
    await completeTestJob(api.context, await acceptTestJob(api.context, key), { mode })
  }
  await acceptTestJob(api.context, key)
  expect((await read(headers)).modes).toEqual([
    { mode: 'tldr', summaries: 2, total_tokens: 30, total_cost: 0.002 },
    { mode: 'detailed', summaries: 1, total_tokens: 15, total_cost: 0.001 },
  ])
  expect((await read({ 'X-API-Key': await api.createKey() })).modes).toEqual([])
})

test('covers the requested days, by default the last 30', async () => {
  const headers = { 'X-API-Key': await api.createKey() }
  await get('/videos/', headers)
  now = new Date('2026-11-23T01:00:00.000Z')
  expect((await read(headers, '?start_date=2026-11-22')).endpoints).toEqual([])
  expect((await read(headers, '?start_date=2026-11-21&end_date=2026-11-21')).endpoints).toHaveLength(1)
  const { start_date, end_date, endpoints } = await read(headers)
  expect([start_date, end_date]).toEqual(['2026-10-25T00:00:00.000Z', '2026-11-24T00:00:00.000Z'])
  expect(endpoints).toHaveLength(2)
})

test.each(['?start_date=2020-01-01', '?start_date=2026-11-21&end_date=2026-11-20', '?by=mode'])(
  'refuses the query %s',
  async (query) => {
    const headers = { 'X-API-Key': await api.createKey() }
    expect(await get(`/usage/breakdown${query}`, headers)).toBeRefused(400, 'VALIDATION_ERROR')
  },
)
