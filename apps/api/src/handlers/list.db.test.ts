import { lists, ServiceError } from '@subtext/contracts'
import { reportStep } from '@subtext/core/jobs'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, claimTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'

const UNAVAILABLE = new ServiceError('VIDEO_UNAVAILABLE')

const api = useTestApi()
let key: string
/** Newest first. */
let jobs: string[]

beforeAll(async () => {
  key = await api.createKey()
  await acceptTestJob(api.context, await api.createKey())
  jobs = []
  for (let count = 0; count < 12; count++) jobs.unshift(await accept(key, count))
  const [first = '', second = '', third = '', fourth = ''] = [...jobs].reverse()
  await completeTestJob(api.context, first)
  await failTestJob(api.context, second, UNAVAILABLE)
  await completeTestJob(api.context, third)
  await reportStep(api.context, await claimTestJob(api.context, fourth), 'summarizing', 40, 'Rivers & the sea')
})

/** Returns IDs that sort in the order of their creation. */
const idOf = (count: number): string => `01900000-0000-7000-8000-${String(count).padStart(12, '0')}`

async function accept(apiKey: string, count: number): Promise<string> {
  await acceptTestJob(api.context, apiKey, { id: idOf(count) })
  return idOf(count)
}

const list = (query: Record<string, unknown> = {}, apiKey = key, path = '/api/v1/videos/') =>
  supertest(api.app).get(path).query(query).set('Authorization', `Bearer ${apiKey}`)
const idsOf = (body: { data: { jobs: { job_id: string }[] } }): string[] => body.data.jobs.map(({ job_id }) => job_id)

describe('GET /videos/', () => {
  test('lists all jobs of the caller newest first, each the same as its status', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(lists.jobs.response.parse(body.data)).toEqual(body.data)
    expect(idsOf(body)).toEqual(jobs)
    expect(body.data.pagination).toEqual({
      total: 12,
      limit: 20,
      offset: 0,
      has_more: false,
      next_offset: null,
      next_cursor: null,
    })
    for (const job of body.data.jobs) {
      const alone = await supertest(api.app)
        .get(`/api/v1/videos/status/${job.job_id}`)
        .set('Authorization', `Bearer ${key}`)
      expect(alone.body.data).toEqual(job)
    }
  })

  test('shows the titles of the videos that the platform has named', async () => {
    const { body } = await list({ status: 'processing' })
    expect(body.data.jobs).toEqual([expect.objectContaining({ video_title: 'Rivers & the sea' })])
    for (const job of (await list({ status: 'queued' })).body.data.jobs) expect(job).not.toHaveProperty('video_title')
  })

  test('works without the trailing slash', async () => {
    expect(idsOf((await list({}, key, '/api/v1/videos')).body)).toEqual(jobs)
  })

  test('returns an empty list for an account without jobs', async () => {
    const { body } = await list({}, await api.createKey())
    expect(body.data).toEqual({
      jobs: [],
      pagination: { total: 0, limit: 20, offset: 0, has_more: false, next_offset: null, next_cursor: null },
    })
  })

  test.each([
    ['queued', 8],
    ['processing', 1],
    ['completed', 2],
    ['failed', 1],
  ])('finds the jobs that are %s (%d of them)', async (status, total) => {
    const { body } = await list({ status, limit: 1 })
    expect(body.data.pagination).toMatchObject({ total, has_more: total > 1, next_offset: total > 1 ? 1 : null })
    expect(body.data.jobs).toEqual([expect.objectContaining({ status })])
  })

  test.each([1, 3, 4, 5, 12, 100])('returns the same pages of %d jobs by offset and by cursor', async (limit) => {
    const walk = async (follow: (page: Page) => Record<string, unknown> | null) => {
      const pages: Page[] = []
      for (let query: Record<string, unknown> | null = { limit }; query && pages.length < 13; ) {
        const { body } = await list(query)
        const page: Page = { ids: idsOf(body), ...body.data.pagination }
        pages.push(page)
        const next = follow(page)
        query = next && { limit, ...next }
      }
      return pages
    }
    const byOffset = await walk(({ next_offset }) => (next_offset === null ? null : { offset: next_offset }))
    const byCursor = await walk(({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }))
    expect(byCursor).toEqual(byOffset)
    expect(byOffset.flatMap(({ ids }) => ids)).toEqual(jobs)
    expect(byOffset.map(({ offset }) => offset)).toEqual(byOffset.map((_, page) => page * limit))
    for (const page of byOffset)
      expect([page.total, page.limit, page.has_more]).toEqual([12, limit, page !== byOffset.at(-1)])
    expect(byOffset.at(-1)).toMatchObject({ next_offset: null, next_cursor: null })
  })

  test('does not show jobs created in the meantime to a client that follows the cursor', async () => {
    const walker = await api.createKey()
    const old: string[] = []
    for (let count = 0; count < 6; count++) old.unshift(await accept(walker, 100 + count))
    const seen: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 3; page++) {
      const { body } = await list({ limit: 2, ...(cursor && { cursor }) }, walker)
      seen.push(...idsOf(body))
      cursor = body.data.pagination.next_cursor
      for (let count = 0; count < 3; count++) {
        await accept(walker, 200 + page * 3 + count)
      }
    }
    expect(seen).toEqual(old)
    expect((await list({ limit: 1 }, walker)).body.data.pagination.total).toBe(15)
  })

  test('sends titles in any script as they are', async () => {
    const owner = await api.createKey()
    const titled = await accept(owner, 1_000)
    await api.context.db.query('UPDATE jobs SET video_title = $2 WHERE id = $1', [titled, 'Flüsse 日本 🌊'])
    expect((await list({}, owner)).body.data.jobs).toMatchObject([{ job_id: titled, video_title: 'Flüsse 日本 🌊' }])
  })

  test('returns an empty page with the total beyond the end', async () => {
    expect((await list({ offset: 500 })).body.data).toEqual({
      jobs: [],
      pagination: { total: 12, limit: 20, offset: 500, has_more: false, next_offset: null, next_cursor: null },
    })
  })

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', '1e1'],
    ['limit', ' 5'],
    ['limit', '+5'],
    ['limit', '0x5'],
    ['limit', ''],
    ['limit', '5, 6'],
    ['limit', '٣'],
    ['offset', '-1'],
    ['offset', '2147483648'],
    ['offset', '9'.repeat(40)],
    ['status', 'done'],
    ['status', 'QUEUED'],
    ['status', ''],
    ['cursor', ''],
    ['cursor', 'abc'],
    ['cursor', 'A'.repeat(40)],
    ['cursor', 'x'.repeat(201)],
    ['page', '2'],
  ])('refuses %s=%s and names the parameter', async (name, value) => {
    expect(await list({ [name]: value })).toBeRefused(400, 'VALIDATION_ERROR', `query.${name}`)
  })

  test('refuses a parameter that is sent twice', async () => {
    const { status } = await list({ limit: ['1', '2'] })
    expect(status).toBe(400)
  })

  test('refuses a cursor with an offset, from another account, from another filter, or changed', async () => {
    const { next_cursor: cursor } = (await list({ limit: 2 })).body.data.pagination
    const changed = cursor.slice(0, 10) + (cursor[10] === 'A' ? 'B' : 'A') + cursor.slice(11)
    for (const query of [{ cursor, offset: 0 }, { cursor, status: 'queued' }, { cursor: changed }]) {
      expect(await list(query)).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
    }
    expect((await list({ cursor }, await api.createKey())).status).toBe(400)
    expect((await list({ cursor, limit: 3 })).status).toBe(200)
  })
})

interface Page {
  ids: string[]
  total: number
  limit: number
  offset: number
  has_more: boolean
  next_offset: number | null
  next_cursor: string | null
}

describe('GET /videos/?q=', () => {
  let own: string
  const named: Record<string, string> = {}
  /** Accepts jobs from the oldest to the newest. */
  beforeAll(async () => {
    own = await api.createKey()
    const titles = [
      '50% of_everything',
      'École Élémentaire',
      'Привет, МИР',
      'a\\b (c) [d] ^$.*+?|',
      'İstanbul',
      '日本の川',
    ]
    for (const [nth, title] of titles.entries()) {
      const jobId = await acceptTestJob(api.context, own, { id: idOf(5_000 + nth), videoId: `vid${nth}_ABCDEF` })
      await api.context.db.query('UPDATE jobs SET video_title = $2 WHERE id = $1', [jobId, title])
      named[title] = jobId
    }
    const channel = { id: 'UCrivers', name: 'Flüsse & Seen', url: '' }
    const completed = await acceptTestJob(api.context, own, { id: idOf(6_000), videoId: 'channelVid1' })
    await completeTestJob(api.context, completed, { info: { title: 'Other', channel } })
    named.channel = completed
    await acceptTestJob(api.context, await api.createKey(), { id: idOf(7_000), videoId: 'channelVid1' })
  })

  test.each([
    ['50%', ['50% of_everything']],
    ['%', ['50% of_everything']],
    ['_', ['50% of_everything']],
    ['OF_EVERY', ['50% of_everything']],
    ['école élé', ['École Élémentaire']],
    ['ПРИВЕТ, мир', ['Привет, МИР']],
    ['a\\b', ['a\\b (c) [d] ^$.*+?|']],
    ['(c) [d] ^$.*+?|', ['a\\b (c) [d] ^$.*+?|']],
    ['istanbul', ['İstanbul']],
    ['の川', ['日本の川']],
    ['flüsse &', ['channel']],
    ['UCrivers', ['channel']],
    ['vid1_ABC', ['École Élémentaire']],
    ['channelVid1', ['channel']],
    ['.*', ['a\\b (c) [d] ^$.*+?|']],
    ['nothing like it', []],
  ])('finds what contains %s', async (q, expected) => {
    const { status, body } = await list({ q }, own)
    expect([status, idsOf(body)]).toEqual([200, expected.map((name) => named[name])])
    expect(body.data.pagination.total).toBe(expected.length)
  })

  test('finds a job by its ID, and by the beginning of it', async () => {
    const id = named.日本の川 ?? ''
    expect(idsOf((await list({ q: id.toUpperCase() }, own)).body)).toEqual([id])
    expect(idsOf((await list({ q: id.slice(0, 8), limit: 100 }, own)).body)).toContain(id)
  })

  test('filters by status and pages like the whole list, with the total of what matches', async () => {
    const query = { q: '01900000', status: 'queued', limit: 2 }
    const first = (await list(query, own)).body
    expect(first.data.pagination).toMatchObject({ total: 6, has_more: true, next_offset: 2 })
    const byOffset = idsOf((await list({ ...query, offset: 2 }, own)).body)
    const next = (await list({ ...query, cursor: first.data.pagination.next_cursor }, own)).body
    expect(idsOf(next)).toEqual(byOffset)
    expect(new Set([...idsOf(first), ...byOffset]).size).toBe(4)
    expect((await list({ ...query, offset: 50 }, own)).body.data).toMatchObject({ jobs: [], pagination: { total: 6 } })
  })

  test('refuses a cursor of another text, and an empty text', async () => {
    const { next_cursor: cursor } = (await list({ q: '01900000', limit: 2 }, own)).body.data.pagination
    for (const query of [{ q: '0190000', cursor }, { cursor }, { q: '' }, { q: ' ' }, { q: 'a'.repeat(201) }]) {
      expect([query, (await list(query, own)).status]).toEqual([query, 400])
    }
  })
})
