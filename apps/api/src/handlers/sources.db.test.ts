import { ServiceError } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'
import { useTestLibrary } from '../testing/library.ts'
import { listedId, useTestSources } from '../testing/sources.ts'

const api = useTestApi()
const { send, ask, work, list } = useTestSources(api)
const { say, find, get: getLibrary } = useTestLibrary(api)

let key: string
beforeEach(async () => {
  key = await api.createKey()
})
// What a test has left to list is no business of the next one.
afterEach(() => api.context.db.query('UPDATE sources SET due_at = NULL'))

let lists = 0
const newList = () => `PLtest${String(++lists).padStart(8, '0')}`
const newChannel = () => `UCtest${String(++lists).padStart(18, '0')}`
const videosOf = (id: string, query: object = {}, by = key) => send(by, 'get', `/sources/${id}/videos`).query(query)
const idsOf = async (id: string, query: object = {}) =>
  (await videosOf(id, query)).body.data.videos.map(({ video_id }: { video_id: string }) => video_id)
const several = (count: number) => Array.from({ length: count }, () => ({}))

describe('POST /sources', () => {
  test('accepts a source, which is listed by a worker', async () => {
    const url = `https://www.youtube.com/playlist?list=${newList()}`
    const asked = await ask(key, url)
    const id = asked.body.data.source_id
    expect([asked.status, asked.headers.location]).toEqual([202, `/api/v1/sources/${id}`])
    expect(asked.body.data).toEqual({ source_id: id, kind: 'playlist', url, status: 'listing' })
    const waiting = send(key, 'get', `/sources/${id}`).query({ wait: 30 })
    const [ready] = await Promise.all([waiting, work({ title: 'Talks', videos: several(3), truncated: true })])
    expect(ready.body.data).toMatchObject({ title: 'Talks', status: 'ready', videos_total: 3, truncated: true })
    expect(ready.headers['retry-after']).toBeUndefined()
  })

  test('responds with 200 to everybody while a listing is fresh, and lists again for a refresh', async () => {
    const url = newList()
    const id = await list(key, url, { videos: several(1) })
    const other = await ask(await api.createKey(), url)
    expect([other.status, other.body.data.status]).toEqual([200, 'ready'])
    expect(other.body.data.source_id).not.toBe(id)
    const refreshed = await ask(key, url, { refresh: true })
    expect([refreshed.status, refreshed.body.data.status, refreshed.body.data.source_id]).toEqual([202, 'ready', id])
    expect(await work({ videos: several(2) })).toBe(true)
  })

  test('lists again what was listed more than ten minutes ago', async () => {
    const url = newList()
    await list(key, url, { videos: several(1) })
    await api.context.db.query(`UPDATE sources SET listed_at = listed_at - interval '11 min' WHERE platform_id = $1`, [
      url,
    ])
    expect((await ask(key, url)).status).toBe(202)
    await work({ videos: several(1) })
  })

  test('resolves a name before it responds', async () => {
    const [channel, handle] = [newChannel(), `@handle${++lists}`]
    const asking = ask(key, `https://youtube.com/${handle}/shorts`).then((response) => response)
    while (!(await work(channel, true))) await new Promise((resolve) => setTimeout(resolve, 20))
    const { status, body } = await asking
    expect([status, body.data.kind, body.data.url]).toEqual([
      202,
      'channel',
      `https://www.youtube.com/channel/${channel}`,
    ])
    expect((await ask(key, channel)).body.data.source_id).toBe(body.data.source_id)
    await work({ videos: several(1) })
    expect((await ask(key, handle)).status).toBe(200)
  })

  test('makes a failed source of an unknown name', async () => {
    const asking = ask(key, `@unknown${++lists}`).then((response) => response)
    while (!(await work({ code: 'SOURCE_UNAVAILABLE', reason: 'not_found' }, true))) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { status, body } = await asking
    expect([status, body.data.status, body.data.error.code]).toEqual([202, 'failed', 'SOURCE_UNAVAILABLE'])
    expect(body.data.error.details).toEqual({ reason: 'not_found' })
    expect(await videosOf(body.data.source_id)).toBeRefused(422, 'SOURCE_UNAVAILABLE')
  })

  test.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', /video.*\/videos\/process/],
    ['dQw4w9WgXcQ', /video/],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=RDdQw4w9WgXcQ', /mix/],
    ['RDdQw4w9WgXcQ', /mix/],
    ['https://www.youtube.com/playlist?list=WL', /private list/],
    ['LL', /private list/],
    ['https://www.youtube.com/results?search_query=a', /neither a playlist nor a channel/],
    ['https://www.youtube.com/gronkh', /neither/],
    ['https://example.org/playlist?list=PL0123456789ab', /another site/],
    ['https://user@youtube.com/@handle', /plain URL/],
    ['https://www.youtube.com/playlist', /without the ID/],
    ['hello world', /not a URL/],
    ['', /url/],
  ])('refuses %j and says why', async (url, reason) => {
    const refused = await ask(key, url)
    expect(refused).toBeRefused(400, 'VALIDATION_ERROR', 'url')
    expect(refused.body.error.message).toMatch(reason)
  })

  test.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL0123456789ab',
    'youtu.be/dQw4w9WgXcQ?list=PL0123456789ab',
    'm.youtube.com/playlist?list=OLAK5uy_nEilL4Pp3NZlBxOyMTslcjMlhs2C1SNPs',
    'https://music.youtube.com/playlist?si=x&list=PL0123456789ab',
    'PL0123456789ab',
  ])('takes the playlist of %s', async (url) => {
    expect((await ask(key, url)).body.data.kind).toBe('playlist')
  })

  test('allows sixty new listings an hour', async () => {
    await api.context.db.query(
      `INSERT INTO source_listings SELECT user_id, date_trunc('hour', now(), 'UTC'), 60 FROM api_keys ORDER BY id DESC LIMIT 1`,
    )
    const refused = await ask(key, newList())
    expect(refused).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(refused.body.error.details).toMatchObject({ quota: 'sources', limit: 60, used: 60 })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('replays the response to an idempotency key', async () => {
    const url = newList()
    const [first, second] = [
      await ask(key, url).set('Idempotency-Key', 'one'),
      await ask(key, url).set('Idempotency-Key', 'one'),
    ]
    expect(second.body.data).toEqual(first.body.data)
    expect(second.headers['idempotent-replayed']).toBe('true')
    await work({ videos: [] })
  })
})

test('a playlist or a channel sent as a video is pointed to sources', async () => {
  for (const url of [
    'https://www.youtube.com/playlist?list=PL0123456789ab',
    '@handle',
    'youtube.com/c/Name',
    'PL0123456789ab',
  ]) {
    const refused = await send(key, 'post', '/videos/process').send({ url })
    expect(refused).toBeRefused(400, 'INVALID_VIDEO_URL')
    expect(refused.body.error.message).toContain('/sources')
  }
})

describe('the videos of a source', () => {
  test('have what is known, and the own latest job', async () => {
    const published = '2026-01-02T03:04:05.000Z'
    const id = await list(key, newList(), {
      videos: [
        { publishedAt: published, isApproximate: true },
        { reason: 'members_only', durationSeconds: null, type: 'live' },
        {},
      ],
    })
    const failed = await acceptTestJob(api.context, key, { videoId: listedId(1) })
    await failTestJob(api.context, failed, new ServiceError('VIDEO_UNAVAILABLE'))
    const done = await acceptTestJob(api.context, key, { videoId: listedId(3) })
    await completeTestJob(api.context, done)
    await acceptTestJob(api.context, await api.createKey(), { videoId: listedId(2) })
    const { body } = await videosOf(id)
    expect(body.data.videos).toEqual([
      {
        video_id: listedId(1),
        video_url: `https://www.youtube.com/watch?v=${listedId(1)}`,
        title: 'Video 1',
        duration_seconds: 60,
        published_at: published,
        published_at_approximate: true,
        position: 1,
        type: 'video',
        state: 'listed',
        job_id: failed,
        job_status: 'failed',
      },
      {
        video_id: listedId(2),
        video_url: `https://www.youtube.com/watch?v=${listedId(2)}`,
        title: 'Video 2',
        position: 2,
        type: 'live',
        state: 'unavailable',
        reason: 'members_only',
      },
      expect.objectContaining({ video_id: listedId(3), job_id: done, job_status: 'completed' }),
    ])
    expect(body.data.pagination).toEqual({ limit: 50, has_more: false, next_cursor: null })
    expect(await idsOf(id, { not_processed: true })).toEqual([listedId(1), listedId(2)])
    expect(await idsOf(id, { type: 'live' })).toEqual([listedId(2)])
    expect(await idsOf(id, { type: 'episode' })).toEqual([])
  })

  test('come in pages', async () => {
    const id = await list(key, newList(), { videos: several(5) })
    const first = await videosOf(id, { limit: 2 })
    const { next_cursor: cursor, has_more } = first.body.data.pagination
    expect(has_more).toBe(true)
    expect(await idsOf(id, { limit: 3, cursor })).toEqual([3, 4, 5].map(listedId))
    expect(await videosOf(id, { limit: 2, cursor, type: 'short' })).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
  })

  test.each([
    ['channel', newChannel, [1]],
    ['playlist', newList, [3, 4]],
  ] as const)('of a %s can be read from a watermark on', async (_kind, newId, expected) => {
    const id = await list(key, newId(), { videos: several(4) })
    expect(await idsOf(id, { since_video_id: listedId(2) })).toEqual(expected.map(listedId))
    const unknown = await videosOf(id, { since_video_id: 'zzzzzzzzzzz' })
    expect(unknown.body.data.videos).toHaveLength(4)
    expect(unknown.body.meta.warnings).toMatchObject([{ code: 'WATERMARK_NOT_FOUND' }])
  })

  test('cannot be read before they are listed, or by others', async () => {
    const { body } = await ask(key, newList())
    const id = body.data.source_id
    const early = await videosOf(id)
    expect(early).toBeRefused(409, 'JOB_NOT_COMPLETED')
    expect(early.headers['retry-after']).toBeDefined()
    expect(await videosOf(id, {}, await api.createKey())).toBeRefused(404, 'NOT_FOUND')
    expect(await videosOf('nonsense')).toBeRefused(404, 'NOT_FOUND')
    await work({ videos: [] })
    expect((await send(key, 'get', `/sources/${id}`)).body.data).toMatchObject({ status: 'ready', videos_total: 0 })
  })
})

test('sources are listed and forgotten', async () => {
  const ids = [await list(key, newList(), { videos: [] }), await list(key, newList(), { videos: [] })]
  const { body } = await send(key, 'get', '/sources/')
  expect(body.data.sources.map(({ source_id }: { source_id: string }) => source_id)).toEqual(ids.toReversed())
  expect(body.data.pagination.total).toBe(2)
  const forgotten = await send(key, 'delete', `/sources/${ids[0]}`)
  expect([forgotten.status, forgotten.text]).toEqual([204, ''])
  expect(await send(key, 'delete', `/sources/${ids[0]}`)).toBeRefused(404, 'NOT_FOUND')
  expect(await send(key, 'get', `/sources/${ids[0]}`)).toBeRefused(404, 'NOT_FOUND')
})

describe('a batch of a source', () => {
  const submit = (source: object, more: object = {}, by = key) =>
    send(by, 'post', '/batch/process').send({ source, ...more })
  const selectedBy = async (id: string, select: object) => {
    const { status, body } = await submit({ source_id: id, select })
    expect([status, body.error]).toEqual([202, undefined])
    const jobs = await send(key, 'get', `/batch/status/${body.data.batch_id}`)
    return jobs.body.data.jobs.map(({ video_id }: { video_id: string }) => Number(video_id.slice(1)))
  }
  const VIDEOS = [
    { publishedAt: '2026-01-04T00:00:00Z' },
    { type: 'short', publishedAt: '2026-01-03T00:00:00Z' },
    { reason: 'private' },
    { type: 'live', publishedAt: '2026-01-02T00:00:00Z' },
    { publishedAt: '2026-01-09T00:00:00Z' },
  ]

  test.each([
    [{}, [1, 2, 4, 5]],
    [{ newest: 2 }, [1, 2]],
    [{ types: ['short', 'live'] }, [2, 4]],
    [{ video_ids: [5, 1, 3].map(listedId) }, [1, 5]],
    [{ min_duration_seconds: 120, max_duration_seconds: 240 }, [2, 4]],
    [{ published_after: '2026-01-03' }, [1, 2, 5]],
  ])('has the videos that %j selects', async (select, expected) => {
    const id = await list(key, newChannel(), { videos: VIDEOS })
    expect(await selectedBy(id, select)).toEqual(expected)
  })

  test('takes the videos of a playlist that were published last as the newest', async () => {
    const id = await list(key, newList(), { videos: VIDEOS })
    expect(await selectedBy(id, { newest: 2 })).toEqual([1, 5])
  })

  test('takes the first hundred, and then the next ones', async () => {
    const admin = await api.createKey({ scopes: ['admin', 'read', 'write'] })
    const id = await list(admin, newChannel(), { videos: several(130) })
    const first = await submit({ source_id: id, select: { not_processed: true } }, { client_reference: 'all' }, admin)
    expect(first.body.data).toMatchObject({ source_id: id, total_jobs: 100, selected: 100, remaining: 30 })
    const second = await submit({ source_id: id, select: { not_processed: true } }, {}, admin)
    expect(second.body.data).toMatchObject({ selected: 30, remaining: 0 })
    expect(await submit({ source_id: id, select: { not_processed: true } }, {}, admin)).toBeRefused(
      422,
      'NOTHING_SELECTED',
    )
  })

  test('has the options of the request', async () => {
    const id = await list(key, newChannel(), { videos: several(1) })
    const { body } = await submit({ source_id: id, select: {} }, { options: { summary_modes: ['key_insights'] } })
    const { rows } = await api.context.db.query<{ options: { summary_modes: string[] } }>(
      'SELECT options FROM jobs WHERE batch_id = $1',
      [body.data.batch_id],
    )
    expect(rows.map(({ options }) => options.summary_modes)).toEqual([['key_insights']])
  })

  test('is refused for what cannot be selected', async () => {
    const id = await list(key, newChannel(), { videos: several(2) })
    const unknown = await submit({ source_id: id, select: { video_ids: [listedId(1), 'unknown0000'] } })
    expect(unknown).toBeRefused(400, 'VALIDATION_ERROR', 'source.select.video_ids.1')
    expect(await submit({ source_id: id, select: { types: ['short'] } })).toBeRefused(422, 'NOTHING_SELECTED')
    expect(await submit({ source_id: id }, { videos: [{ url: listedId(1) }] })).toBeRefused(
      400,
      'VALIDATION_ERROR',
      'videos',
    )
    expect(await submit({ source_id: 'nonsense', select: {} })).toBeRefused(404, 'NOT_FOUND')
    const free = await api.createKey({ plan: 'free' })
    expect(await submit({ source_id: id, select: {} }, {}, free)).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
  })

  test('can be estimated', async () => {
    const id = await list(key, newChannel(), { videos: several(3) })
    const { body } = await send(key, 'post', '/batch/estimate').send({
      source: { source_id: id, select: { newest: 2 } },
    })
    expect(body.data).toMatchObject({ would_accept: true, quota: { uses: 2 } })
    expect(body.data.videos).toHaveLength(2)
  })
})

test('the library can be searched by source', async () => {
  const inSource = await say(key, ['the harbor'], { videoId: 'srcvideo001' })
  await say(key, ['the harbor'], { videoId: 'srcvideo002' })
  const id = await list(key, newList(), { videos: [{ videoId: 'srcvideo001' }] })
  expect(await find(key, 'harbor')).toHaveLength(2)
  expect(await find(key, 'harbor', { source_id: id })).toEqual([inSource])
  expect(await getLibrary(key, 'search', { q: 'harbor', source_id: 'nonsense' })).toBeRefused(404, 'NOT_FOUND')
  expect((await supertest(api.app).get('/api/v1/sources/')).status).toBe(401)
})
