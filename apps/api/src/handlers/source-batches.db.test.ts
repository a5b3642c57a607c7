import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { useTestLibrary } from '../testing/library.ts'
import { listedId, newTestChannel, newTestList, severalVideos, useTestSources } from '../testing/sources.ts'

const api = useTestApi()
const { send, list } = useTestSources(api)
const { say, find, get: getLibrary } = useTestLibrary(api)

let key: string
beforeEach(async () => {
  key = await api.createKey()
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
    const id = await list(key, newTestChannel(), { videos: VIDEOS })
    expect(await selectedBy(id, select)).toEqual(expected)
  })

  test('takes the videos of a playlist that were published last as the newest', async () => {
    const id = await list(key, newTestList(), { videos: VIDEOS })
    expect(await selectedBy(id, { newest: 2 })).toEqual([1, 5])
  })

  test('takes the first hundred, and then the next ones', async () => {
    const admin = await api.createKey({ scopes: ['admin', 'read', 'write'] })
    const id = await list(admin, newTestChannel(), { videos: severalVideos(130) })
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
    const id = await list(key, newTestChannel(), { videos: severalVideos(1) })
    const { body } = await submit({ source_id: id, select: {} }, { options: { summary_modes: ['key_insights'] } })
    const { rows } = await api.context.db.query<{ options: { summary_modes: string[] } }>(
      'SELECT options FROM jobs WHERE batch_id = $1',
      [body.data.batch_id],
    )
    expect(rows.map(({ options }) => options.summary_modes)).toEqual([['key_insights']])
  })

  test('is refused for what cannot be selected', async () => {
    const id = await list(key, newTestChannel(), { videos: severalVideos(2) })
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
    const id = await list(key, newTestChannel(), { videos: severalVideos(3) })
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
  const id = await list(key, newTestList(), { videos: [{ videoId: 'srcvideo001' }] })
  expect(await find(key, 'harbor')).toHaveLength(2)
  expect(await find(key, 'harbor', { source_id: id })).toEqual([inSource])
  expect(await getLibrary(key, 'search', { q: 'harbor', source_id: 'nonsense' })).toBeRefused(404, 'NOT_FOUND')
  expect((await supertest(api.app).get('/api/v1/sources/')).status).toBe(401)
})
