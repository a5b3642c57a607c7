import { thumbnails } from '@subtext/contracts'
import { saveVideo } from '@subtext/core/transcripts'
import { startVideoPlatform, SAMPLE_VIDEOS as V, type VideoPlatform } from '@subtext/fakes'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { TRACK, VIDEO_URL } from '../testing/jobs.ts'

const closed = useTestApi()
let open: ReturnType<typeof closed.openBeside>
let key: string

beforeAll(async () => {
  open = closed.openBeside({ REQUIRE_API_AUTH: 'false' })
  key = await closed.createKey()
})

const find = (query: Record<string, unknown>) =>
  supertest(closed.app).get('/api/v1/videos/thumbnails').query(query).set('Authorization', `Bearer ${key}`)
const at = (file: string, videoId = 'dQw4w9WgXcQ') => `https://i.ytimg.com/vi/${videoId}/${file}.jpg`

const THREE = {
  default: { url: at('default'), width: 120, height: 90 },
  medium: { url: at('mqdefault'), width: 320, height: 180 },
  high: { url: at('hqdefault'), width: 480, height: 360 },
}

/** Stores what the platform has reported about a video. */
const storeVideo = (videoId: string, thumbnailUrl: string) =>
  saveVideo(closed.context.db, {
    info: {
      video_id: videoId,
      url: VIDEO_URL,
      title: '',
      description: '',
      published_at: null,
      duration_seconds: 1,
      channel: { id: '', name: '', url: '' },
      language: null,
      is_live_archive: false,
      chapters: [],
      thumbnail_url: thumbnailUrl,
    },
    tracks: [TRACK],
  })

describe('GET /videos/thumbnails', () => {
  test.each([
    VIDEO_URL,
    'youtu.be/dQw4w9WgXcQ?si=x',
    'https://m.youtube.com/shorts/dQw4w9WgXcQ',
    ' https://youtu.be/dQw4w9WgXcQ ',
  ])('finds the thumbnails of %s', async (url) => {
    const { status, body } = await find({ url })
    expect(status).toBe(200)
    expect(body.data).toEqual({ video_id: 'dQw4w9WgXcQ', video_url: VIDEO_URL, thumbnails: THREE })
    expect(thumbnails.find.response.parse(body.data)).toEqual(body.data)
  })

  test.each([
    ['standard', 'https://i.ytimg.com/vi/aaaaaaaaaaa/sddefault.jpg?sqp=x', { width: 640, height: 480 }, 'sddefault'],
    [
      'maxres',
      'https://i.ytimg.com/vi_webp/aaaaaaaaaaa/maxresdefault.webp',
      { width: 1280, height: 720 },
      'maxresdefault',
    ],
  ])('includes %s if the platform has reported it', async (size, named, measures, file) => {
    await storeVideo('aaaaaaaaaaa', named)
    const { body } = await find({ url: 'https://youtu.be/aaaaaaaaaaa' })
    expect(Object.keys(body.data.thumbnails)).toEqual(['default', 'medium', 'high', size])
    expect(body.data.thumbnails[size]).toEqual({ url: at(file, 'aaaaaaaaaaa'), ...measures })
  })

  test.each([
    'https://i.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg',
    'https://i.ytimg.com/vi/bbbbbbbbbbb/maxresdefault.jpg',
    'https://example.org/?/vi/aaaaaaaaaaa/maxresdefault.jpg',
    '',
  ])('includes no large thumbnail for the reported URL %j', async (named) => {
    await storeVideo('aaaaaaaaaaa', named)
    const { body } = await find({ url: 'https://youtu.be/aaaaaaaaaaa' })
    expect(Object.keys(body.data.thumbnails)).toEqual(['default', 'medium', 'high'])
  })

  test.each([
    'https://vimeo.com/1',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    '',
    'javascript:alert(1)',
    `${VIDEO_URL}\u0000`,
    `${VIDEO_URL}&x=${'x'.repeat(2_048)}`,
  ])('refuses %j as a video', async (url) => {
    expect(await find({ url })).toBeRefused(400, 'INVALID_VIDEO_URL')
  })

  test.each([
    ['no url', {}, 'query.url'],
    ['two urls', { url: [VIDEO_URL, VIDEO_URL] }, 'query.url'],
    ['an unknown parameter', { url: VIDEO_URL, size: 'high' }, 'query.size'],
  ])('refuses %s', async (_, query, path) => {
    expect(await find(query)).toBeRefused(400, 'VALIDATION_ERROR', path)
  })
})

describe('with REQUIRE_API_AUTH=false', () => {
  const path = `/api/v1/videos/thumbnails?url=${encodeURIComponent(VIDEO_URL)}`

  test('serves thumbnails to callers with and without a key', async () => {
    const { status, body, headers } = await supertest(open.app).get(path)
    expect(status).toBe(200)
    expect(body.data.thumbnails).toEqual(THREE)
    expect(headers['x-ratelimit-limit']).toBeDefined()
    expect((await supertest(open.app).get(path).set('X-API-Key', key)).status).toBe(200)
  })

  test('still refuses invalid keys, and requires a key on all other routes', async () => {
    expect(
      (
        await supertest(open.app)
          .get(path)
          .set('X-API-Key', `sk_${'0'.repeat(64)}`)
      ).status,
    ).toBe(401)
    const writer = await closed.createKey({ scopes: ['write'] })
    expect((await supertest(open.app).get(path).set('X-API-Key', writer)).status).toBe(403)
    for (const other of ['/api/v1/videos/', '/api/v1/videos/status/x']) {
      expect((await supertest(open.app).get(other)).status).toBe(401)
    }
    expect((await supertest(closed.app).get(path)).status).toBe(401)
  })
})

describe('the large thumbnails', () => {
  let platform: VideoPlatform
  let process: ReturnType<typeof closed.openBeside>
  beforeAll(async () => {
    platform = await startVideoPlatform()
    process = openProcess()
  })
  afterAll(() => platform.close())
  beforeEach(() => platform.reset())

  const openProcess = (settings: Record<string, string> = {}) =>
    closed.openBeside({ YOUTUBE_ORIGIN: platform.origin, SAMPLE_VIDEOS: 'false', ...settings })
  const sizesOf = async (videoId: string, { app } = process): Promise<string[]> => {
    const request = supertest(app)
      .get('/api/v1/videos/thumbnails')
      .query({ url: `https://youtu.be/${videoId}` })
    const { status, body } = await request.set('X-API-Key', key)
    expect(status).toBe(200)
    return Object.keys(body.data.thumbnails)
  }
  const SMALL = ['default', 'medium', 'high']
  const ALL = [...SMALL, 'standard', 'maxres']

  test('are included if the image host has them, also for a video that was never processed', async () => {
    expect(await sizesOf(V.english.id)).toEqual(ALL)
    expect(await sizesOf(V.hindi.id)).toEqual(SMALL)
  })

  test('are asked for once, and remembered for every process', async () => {
    expect(await sizesOf(V.german.id)).toEqual(ALL)
    expect(await sizesOf('nosuchvideo')).toEqual(SMALL)
    const asked = platform.requests.length
    expect(asked).toBe(4)
    const other = openProcess()
    for (const beside of [process, other]) {
      expect(await sizesOf(V.german.id, beside)).toEqual(ALL)
      expect(await sizesOf('nosuchvideo', beside)).toEqual(SMALL)
    }
    expect(platform.requests).toHaveLength(asked)
  })

  test('are those that the platform has named if the image host does not answer, which is not remembered', async () => {
    await storeVideo('ccccccccccc', 'https://i.ytimg.com/vi/ccccccccccc/maxresdefault.jpg')
    platform.failNext({ kind: 'image', times: 2, outcome: 'reset' })
    const lonely = openProcess()
    expect(await sizesOf('ccccccccccc', lonely)).toEqual([...SMALL, 'maxres'])
    expect(await sizesOf(V.french.id, lonely)).toEqual(SMALL)
    expect(await sizesOf(V.french.id)).toEqual(ALL)
  })

  test('of a sample video come from the sample platform', async () => {
    const withSamples = openProcess({ SAMPLE_VIDEOS: 'true' })
    expect(await sizesOf(V.korean.id, withSamples)).toEqual(ALL)
    expect(await sizesOf('sbtx-x-none', withSamples)).toEqual(SMALL)
    expect(platform.requests).toEqual([])
  })

  test('are named without being remembered while nothing can be written', async () => {
    const readOnly = openProcess({
      DATABASE_URL: `${closed.settings.DATABASE_URL}?options=-c%20default_transaction_read_only%3Don`,
    })
    expect(await sizesOf(V.japanese.id, readOnly)).toEqual(ALL)
    expect(await sizesOf(V.japanese.id, readOnly)).toEqual(ALL)
    expect(platform.requests).toHaveLength(4)
  })
})
