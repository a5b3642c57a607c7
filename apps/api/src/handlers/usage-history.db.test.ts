import { API_PREFIX, type ResultUsage, ServiceError, UsageHistory, type UsagePeriod } from '@subtext/contracts'
import supertest, { type Response } from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, addTestSummary, completeTestJob, failTestJob, saveTestTranscript } from '../testing/jobs.ts'
import { EMPTY_USAGE } from '../testing/usage.ts'

/** A Saturday; its ISO week began on Monday the 16th. */
const START = new Date('2026-11-21T12:30:00.000Z')

const api = useTestApi({}, () => now)
let now = START

beforeEach(() => {
  now = START
})

const get = (key: string, path: string): Promise<Response> =>
  supertest(api.app).get(`${API_PREFIX}${path}`).set('X-API-Key', key)

async function history(key: string, query = ''): Promise<UsageHistory> {
  const response = await get(key, `/usage/history${query}`)
  expect([response.status, response.body.error]).toEqual([200, undefined])
  const data = UsageHistory.parse(response.body.data)
  const sum = (field: keyof UsagePeriod) => data.periods.reduce((total, period) => total + Number(period[field]), 0)
  expect(data.summary).toMatchObject({
    total_periods: data.periods.length,
    total_requests: sum('total_requests'),
    total_tokens: sum('total_tokens'),
  })
  expect(data.summary.total_cost).toBeCloseTo(sum('total_cost'), 9)
  return data
}

test('returns thirty days by default, newest first and without gaps', async () => {
  const { periods, summary, query_info } = await history(await api.createKey())
  expect(periods).toHaveLength(30)
  expect(periods[0]).toEqual({
    ...EMPTY_USAGE,
    start_date: '2026-11-21T00:00:00.000Z',
    end_date: '2026-11-22T00:00:00.000Z',
  })
  expect(periods[29]?.start_date).toBe('2026-10-23T00:00:00.000Z')
  expect(summary).toEqual({
    total_periods: 30,
    total_requests: 0,
    total_tokens: 0,
    total_cost: 0,
    avg_requests_per_period: 0,
    granularity: 'daily',
  })
  expect(query_info).toEqual({
    start_date: null,
    end_date: '2026-11-22T00:00:00.000Z',
    limit: 30,
    offset: 0,
    has_more: false,
  })
})

test('adds up to the usage of the results, for every granularity', async () => {
  const key = await api.createKey()
  const receipts: ResultUsage[] = []
  for (const time of ['2026-09-30T23:59:59Z', '2026-10-01T00:00:00Z', '2026-11-15T10:00:00Z', '2026-11-21T12:00:00Z']) {
    now = new Date(time)
    const job = await acceptTestJob(api.context, key)
    await completeTestJob(api.context, job)
    receipts.push((await get(key, `/videos/result/${job}`)).body.data.usage)
  }
  now = START
  const tokens = receipts.reduce((total, receipt) => total + receipt.total_tokens, 0)
  const cost = receipts.reduce((total, receipt) => total + receipt.cost_usd, 0)
  for (const granularity of ['hourly', 'daily', 'weekly', 'monthly']) {
    let [videos, foundTokens, foundCost, offset] = [0, 0, 0, 0]
    for (let more = true; more; offset += 366) {
      const query = `?granularity=${granularity}&start_date=2026-09-01&limit=366&offset=${offset}`
      const { periods, summary, query_info } = await history(key, query)
      videos += periods.reduce((total, period) => total + period.videos_processed, 0)
      foundTokens += summary.total_tokens
      foundCost += summary.total_cost
      more = query_info.has_more
    }
    expect([granularity, videos, foundTokens, foundCost.toFixed(6)]).toEqual([granularity, 4, tokens, cost.toFixed(6)])
  }
  const months = await history(key, '?granularity=monthly&start_date=2026-09-01')
  expect(months.periods.map((period) => [period.start_date.slice(0, 10), period.videos_processed])).toEqual([
    ['2026-11-01', 2],
    ['2026-10-01', 1],
    ['2026-09-01', 1],
  ])
})

test('includes what a job had cost before it failed', async () => {
  const key = await api.createKey()
  const job = await acceptTestJob(api.context, key)
  const transcriptId = await saveTestTranscript(api.context)
  await addTestSummary(api.context, job, transcriptId)
  await failTestJob(api.context, job, new ServiceError('SUMMARY_UNAVAILABLE'))
  expect((await history(key, '?limit=1')).periods).toMatchObject([
    { videos_processed: 0, total_tokens: 15, total_cost: 0.001 },
  ])
})

test('covers only the calling key', async () => {
  const account = { email: 'history@example.org' }
  const [first, second] = [await api.createKey(account), await api.createKey(account)]
  await completeTestJob(api.context, await acceptTestJob(api.context, first))
  expect((await history(second)).summary).toMatchObject({ total_tokens: 0, total_cost: 0 })
  expect((await history(first)).summary).toMatchObject({ total_tokens: 15, total_cost: 0.001 })
})

test('includes a bare end date but not an end time, and cuts the periods at the range', async () => {
  const key = await api.createKey()
  const span = async (query: string) =>
    (await history(key, query)).periods.map((period) => `${period.start_date} ${period.end_date}`)
  expect(await span('?start_date=2026-11-19&end_date=2026-11-19')).toEqual([
    '2026-11-19T00:00:00.000Z 2026-11-20T00:00:00.000Z',
  ])
  expect(await span('?start_date=2026-11-19&end_date=2026-11-20T00:00:00Z')).toEqual([
    '2026-11-19T00:00:00.000Z 2026-11-20T00:00:00.000Z',
  ])
  expect(await span('?start_date=2026-11-13&end_date=2026-11-17&granularity=weekly')).toEqual([
    '2026-11-16T00:00:00.000Z 2026-11-18T00:00:00.000Z',
    '2026-11-13T00:00:00.000Z 2026-11-16T00:00:00.000Z',
  ])
  expect(
    await span(
      `?start_date=${encodeURIComponent('2026-11-19T23:30:00-02:00')}&end_date=2026-11-20T02:00:00Z&granularity=hourly`,
    ),
  ).toEqual(['2026-11-20T01:00:00.000Z 2026-11-20T02:00:00.000Z'])
  expect(await span('?start_date=2026-11-20T01:00:00&end_date=2026-11-20T02:00:00&granularity=hourly')).toEqual([
    '2026-11-20T01:00:00.000Z 2026-11-20T02:00:00.000Z',
  ])
  expect(await span('?start_date=2026-11-21T10:00:00Z&end_date=2026-11-21')).toHaveLength(1)
  expect(await span('?start_date=2026-12-01')).toEqual([])
})

test('reports has_more while there is usage in the range before the page', async () => {
  const key = await api.createKey()
  now = new Date('2026-11-10T10:00:00.000Z')
  await completeTestJob(api.context, await acceptTestJob(api.context, key))
  now = START
  const hasMore = async (query: string) => (await history(key, query)).query_info.has_more
  expect(await hasMore('?limit=11')).toBe(true)
  expect(await hasMore('?limit=12')).toBe(false)
  expect(await hasMore('?limit=2&offset=9')).toBe(true)
  expect(await hasMore('?limit=2&start_date=2026-11-11')).toBe(false)
})

test.each([
  ['granularity=yearly', 'query.granularity'],
  ['limit=0', 'query.limit'],
  ['limit=367', 'query.limit'],
  ['limit=1.5', 'query.limit'],
  ['limit=', 'query.limit'],
  ['offset=-1', 'query.offset'],
  ['offset=100001', 'query.offset'],
  ['start_date=yesterday', 'query.start_date'],
  ['start_date=2026-02-30', 'query.start_date'],
  ['start_date=2026-11-21T25:00:00Z', 'query.start_date'],
  ['start_date=2026-11-21 10:00:00Z', 'query.start_date'],
  ['start_date=', 'query.start_date'],
  ['start_date=2026-11-20&start_date=2026-11-21', 'query.start_date'],
  ['end_date=21.11.2026', 'query.end_date'],
  ['start_date=2026-11-21&end_date=2026-11-20', 'query.end_date'],
  ['start_date=2026-11-21T10:00:00Z&end_date=2026-11-21T09:59:59Z', 'query.end_date'],
  ['from=2026-11-20', 'query.from'],
  ['limit=10&limits=10', 'query.limits'],
])('refuses %s', async (query, path) => {
  const response = await get(await api.createKey(), `/usage/history?${query}`)
  expect(response).toBeRefused(400, 'VALIDATION_ERROR')
  expect(response.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
})

test.each(['start_date=0000-01-01', 'end_date=9999-12-31', 'offset=100000&granularity=monthly&limit=366'])(
  'accepts %s',
  async (query) => {
    await history(await api.createKey(), `?${query}`)
  },
)
