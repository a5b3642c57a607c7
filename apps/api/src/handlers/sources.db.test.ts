import { ServiceError } from '@subtext/contracts'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'
import { listedId, newTestChannel, newTestList, severalVideos, useTestSources } from '../testing/sources.ts'

const api = useTestApi()
const { send, ask, work, list } = useTestSources(api)

let key: string
beforeEach(async () => {
  key = await api.createKey()
})
// What a test has left to list is no business of the next one.
afterEach(() => api.context.db.query('UPDATE sources SET due_at = NULL'))

const videosOf = (id: string, query: object = {}, by = key) => send(by, 'get', `/sources/${id}/videos`).query(query)
const idsOf = async (id: string, query: object = {}) =>
  (await videosOf(id, query)).body.data.videos.map(({ video_id }: { video_id: string }) => video_id)
describe('POST /sources', () => {
  test('accepts a source, which is listed by a worker', async () => {
    const url = `https://www.youtube.com/playlist?list=${newTestList()}`
    const asked = await ask(key, url)
    const id = asked.body.data.source_id
    expect([asked.status, asked.headers.location]).toEqual([202, `/api/v1/sources/${id}`])
    expect(asked.body.data).toEqual({ source_id: id, kind: 'playlist', url, status: 'listing' })
    const waiting = send(key, 'get', `/sources/${id}`).query({ wait: 30 })
    const [ready] = await Promise.all([waiting, work({ title: 'Talks', videos: severalVideos(3), truncated: true })])
    expect(ready.body.data).toMatchObject({ title: 'Talks', status: 'ready', videos_total: 3, truncated: true })
    expect(ready.headers['retry-after']).toBeUndefined()
  })

  test('responds with 200 to everybody while a listing is fresh, and lists again for a refresh', async () => {
    const url = newTestList()
    const id = await list(key, url, { videos: severalVideos(1) })
    const other = await ask(await api.createKey(), url)
    expect([other.status, other.body.data.status]).toEqual([200, 'ready'])
    expect(other.body.data.source_id).not.toBe(id)
    const refreshed = await ask(key, url, { refresh: true })
    expect([refreshed.status, refreshed.body.data.status, refreshed.body.data.source_id]).toEqual([202, 'ready', id])
    expect(await work({ videos: severalVideos(2) })).toBe(true)
  })

  test('lists again what was listed more than ten minutes ago', async () => {
    const url = newTestList()
    await list(key, url, { videos: severalVideos(1) })
    await api.context.db.query(`UPDATE sources SET listed_at = listed_at - interval '11 min' WHERE platform_id = $1`, [
      url,
    ])
    expect((await ask(key, url)).status).toBe(202)
    await work({ videos: severalVideos(1) })
  })

  test('resolves a name before it responds', async () => {
    const [channel, handle] = [newTestChannel(), `@${newTestList()}`]
    const asking = ask(key, `https://youtube.com/${handle}/shorts`).then((response) => response)
    while (!(await work(channel, true))) await new Promise((resolve) => setTimeout(resolve, 20))
    const { status, body } = await asking
    expect([status, body.data.kind, body.data.url]).toEqual([
      202,
      'channel',
      `https://www.youtube.com/channel/${channel}`,
    ])
    expect((await ask(key, channel)).body.data.source_id).toBe(body.data.source_id)
    await work({ videos: severalVideos(1) })
    expect((await ask(key, handle)).status).toBe(200)
  })

  test('makes a failed source of an unknown name', async () => {
    const asking = ask(key, `@${newTestList()}`).then((response) => response)
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
    ['example.org/playlist?list=PL0123456789ab', /another site/],
    ['http://127.0.0.1/feed.xml', /private or special/],
    ['http://169.254.169.254/feed.xml', /private or special/],
    ['https://user:secret@example.org/feed.xml', /credentials/],
    ['https://example.org:22/feed.xml', /port/],
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
    const refused = await ask(key, newTestList())
    expect(refused).toBeRefused(429, 'QUOTA_EXCEEDED')
    expect(refused.body.error.details).toMatchObject({ quota: 'sources', limit: 60, used: 60 })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('replays the response to an idempotency key', async () => {
    const url = newTestList()
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
    const id = await list(key, newTestList(), {
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
    const id = await list(key, newTestList(), { videos: severalVideos(5) })
    const first = await videosOf(id, { limit: 2 })
    const { next_cursor: cursor, has_more } = first.body.data.pagination
    expect(has_more).toBe(true)
    expect(await idsOf(id, { limit: 3, cursor })).toEqual([3, 4, 5].map(listedId))
    expect(await videosOf(id, { limit: 2, cursor, type: 'short' })).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
  })

  test.each([
    ['channel', newTestChannel, [1]],
    ['playlist', newTestList, [3, 4]],
  ] as const)('of a %s can be read from a watermark on', async (_kind, newId, expected) => {
    const id = await list(key, newId(), { videos: severalVideos(4) })
    expect(await idsOf(id, { since_video_id: listedId(2) })).toEqual(expected.map(listedId))
    const unknown = await videosOf(id, { since_video_id: 'zzzzzzzzzzz' })
    expect(unknown.body.data.videos).toHaveLength(4)
    expect(unknown.body.meta.warnings).toMatchObject([{ code: 'WATERMARK_NOT_FOUND' }])
  })

  test('cannot be read before they are listed, or by others', async () => {
    const { body } = await ask(key, newTestList())
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
  const ids = [await list(key, newTestList(), { videos: [] }), await list(key, newTestList(), { videos: [] })]
  const { body } = await send(key, 'get', '/sources/')
  expect(body.data.sources.map(({ source_id }: { source_id: string }) => source_id)).toEqual(ids.toReversed())
  expect(body.data.pagination.total).toBe(2)
  const forgotten = await send(key, 'delete', `/sources/${ids[0]}`)
  expect([forgotten.status, forgotten.text]).toEqual([204, ''])
  expect(await send(key, 'delete', `/sources/${ids[0]}`)).toBeRefused(404, 'NOT_FOUND')
  expect(await send(key, 'get', `/sources/${ids[0]}`)).toBeRefused(404, 'NOT_FOUND')
})
