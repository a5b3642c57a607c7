import { waitUntil } from '@subtext/embedded/testing'
import {
  botCheck,
  playing,
  refused,
  type ScriptedReply,
  spoken,
  startTestPlatform,
  startTestProxy,
  type TestPlatform,
  VIDEO_ID,
  withoutCaptions,
} from './testing/platform.ts'
import { PATIENT } from './testing/source.ts'
import { createYoutubeSource, type YoutubeSourceOptions } from './youtube-source.ts'

const closing: { close(): Promise<void> }[] = []
const closedLater = <T extends { close(): Promise<void> }>(server: T): T => {
  closing.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(closing.splice(0).map((server) => server.close()))
})

const platform = async (script: Parameters<typeof startTestPlatform>[0]) => closedLater(await startTestPlatform(script))
const source = ({ origin }: TestPlatform, options: Partial<YoutubeSourceOptions> = {}) =>
  createYoutubeSource({ origin, proxyUrls: [], ...PATIENT, ...options })
const options = (useProxy: boolean | null = null, signal = new AbortController().signal) => ({ useProxy, signal })
const asked = ({ seen }: TestPlatform) => seen.filter(({ client }) => client !== '').map(({ client }) => client)
const sessions = ({ seen }: TestPlatform) => seen.filter(({ path }) => path === '/sw.js_data').length

test('fetches a video, its tracks and its cues', async () => {
  const site = await platform({
    player: () => playing(),
    captions: () => spoken('Water turns the wheel.', '[Music]', 'Always.'),
  })
  const video = await source(site).fetchVideo(VIDEO_ID, options())
  expect(video.info).toMatchObject({ video_id: VIDEO_ID, title: 'How mills turn', language: 'en' })
  expect(video.tracks).toEqual([
    { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true },
    { key: 'a.en', language: 'en', kind: 'auto', name: 'English (auto)', isDefault: false },
  ])
  const [manual] = video.tracks
  expect(manual && (await video.fetchTranscript(manual)).cues).toEqual([
    { startMs: 0, durationMs: 1500, text: 'Water turns the wheel.' },
    { startMs: 4000, durationMs: 1500, text: 'Always.' },
  ])
  const [session, player, captions] = site.seen
  expect(site.seen).toHaveLength(3)
  expect(session).toMatchObject({ path: '/sw.js_data', wantedHost: 'www.youtube.com' })
  expect(player).toMatchObject({ client: 'ANDROID', hl: 'en', visitor: 'visitor-1', wantedHost: 'www.youtube.com' })
  expect(captions?.query.toString()).toBe(`v=${VIDEO_ID}&lang=en&fmt=json3`)
  expect(captions?.userAgent).toBe(player?.userAgent)
  expect(captions?.userAgent).toContain('android')
})

test('uses one session for many videos and replaces it after 200 uses', async () => {
  const site = await platform({ player: () => playing() })
  const videos = source(site)
  await Promise.all(Array.from({ length: 20 }, () => videos.fetchVideo(VIDEO_ID, options())))
  expect(sessions(site)).toBe(1)
  for (let n = 0; n < 181; n++) await videos.fetchVideo(VIDEO_ID, options())
  expect(sessions(site)).toBe(2)
})

test('generates a session locally when the platform issues none', async () => {
  const site = await platform({ player: () => playing(), session: () => 503 })
  await expect(source(site).fetchVideo(VIDEO_ID, options())).resolves.toBeDefined()
})

describe('the next client', () => {
  test.each([
    ['a refusal of the client', refused('UNPLAYABLE', 'This video is not available')],
    ['an unconfirmed absence of the video', refused('ERROR', 'This video is unavailable')],
    ['no captions', withoutCaptions()],
    ['a decoy', { ...playing(), videoDetails: { videoId: 'kkkkkkkkkkk' } }],
    ['an empty object', {}],
    ['truncated JSON', '{"playabilityStatus":{"status":"O'],
    ['an empty body', ''],
    ['an unknown status', refused('NEW_STATE', 'Something new')],
    ['400', 400],
    ['503', 503],
  ])('is asked after %s', async (_, reply) => {
    const site = await platform({ player: ({ client }) => (client === 'ANDROID' ? reply : playing()) })
    await expect(source(site).fetchVideo(VIDEO_ID, options())).resolves.toMatchObject({ info: { video_id: VIDEO_ID } })
    expect(asked(site)).toEqual(['ANDROID', 'VISIONOS'])
    expect(sessions(site)).toBe(1)
  })

  test('is not asked when the reply is final', async () => {
    const site = await platform({ player: () => refused('LOGIN_REQUIRED', 'This video is private') })
    await expect(source(site).fetchVideo(VIDEO_ID, options())).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'TRANSCRIPT_UNAVAILABLE',
      details: { reason: 'private' },
    })
    expect(asked(site)).toEqual(['ANDROID'])
  })
})

test('keeps the session when the other apps are refused a second view', async () => {
  const [, automatic] = playing().captions.playerCaptionsTracklistRenderer.captionTracks
  const captions = { playerCaptionsTracklistRenderer: { captionTracks: [automatic] } }
  const site = await platform({
    player: ({ client }) => (client === 'ANDROID' ? { ...playing(), captions } : botCheck()),
  })
  const videos = source(site)
  for (let turn = 0; turn < 2; turn++) await videos.fetchVideo(VIDEO_ID, options())
  expect(sessions(site)).toBe(1)
})

test('takes a second view from the first other app that has one', async () => {
  const [manual, automatic] = playing().captions.playerCaptionsTracklistRenderer.captionTracks
  const telling = (...captionTracks: unknown[]) => ({
    ...playing(),
    captions: { playerCaptionsTracklistRenderer: { captionTracks } },
  })
  const site = await platform({
    player: ({ client }) =>
      ({ ANDROID: telling(automatic), VISIONOS: refused('UNPLAYABLE', 'This video is not available') })[client] ??
      telling(automatic, manual),
  })
  const { tracks } = await source(site).fetchVideo(VIDEO_ID, options())
  expect(tracks.map(({ key }) => key)).toEqual(['a.en', '.en'])
  expect(asked(site)).toEqual(['ANDROID', 'VISIONOS', 'iOS'])
})

describe('fetchVideo gives up with', () => {
  test.each([
    ['TRANSCRIPT_UNAVAILABLE', 3, 'no captions for three apps', () => withoutCaptions()],
    ['VIDEO_UNAVAILABLE', 2, 'no video, confirmed', () => refused('ERROR', 'Video unavailable')],
    ['VIDEO_UNAVAILABLE', 4, 'refused by every client', () => refused('UNPLAYABLE', 'Video unavailable')],
    ['GEO_BLOCKED', 1, 'another country', () => refused('UNPLAYABLE', 'Not available in your country')],
    ['UPSTREAM_BLOCKED', 4, 'a bot check each time', botCheck],
    ['UPSTREAM_BLOCKED', 4, 'too many requests', () => 429],
    ['UPSTREAM_BLOCKED', 4, 'a CAPTCHA redirect', () => 302],
    ['UPSTREAM_BLOCKED', 4, 'a CAPTCHA page as 200', () => '<!DOCTYPE html><html><body>robot?</body></html>'],
    ['UPSTREAM_BLOCKED', 4, 'decoys', () => ({ ...playing(), videoDetails: { videoId: 'kkkkkkkkkkk' } })],
    ['UPSTREAM_UNAVAILABLE', 4, 'server errors', () => 500],
    ['UPSTREAM_UNAVAILABLE', 4, 'no playability status', () => ({})],
    [
      'UPSTREAM_UNAVAILABLE',
      4,
      'no video for two clients of one app, errors for the others',
      (_: number, client: string) => (client.startsWith('ANDROID') ? refused('ERROR', 'Video unavailable') : 400),
    ],
    [
      'UPSTREAM_UNAVAILABLE',
      4,
      'no captions for one client, errors for the others',
      (nth: number) => (nth === 1 ? withoutCaptions() : 500),
    ],
    [
      'UPSTREAM_UNAVAILABLE',
      4,
      'a video that only one client plays, without captions',
      (nth: number) => (nth === 1 ? withoutCaptions() : refused('UNPLAYABLE', 'x')),
    ],
  ])('%s after %i requests: %s', async (code, requests, _, reply) => {
    const site = await platform({ player: ({ client }, nth) => reply(nth, client) })
    await expect(source(site).fetchVideo(VIDEO_ID, options())).rejects.toMatchObject({ name: 'ServiceError', code })
    expect(asked(site)).toHaveLength(requests)
  })

  test('UPSTREAM_UNAVAILABLE when nothing replies', async () => {
    const site = await platform({ player: () => 'hang' })
    const started = source(site, { requestTimeoutMs: 100 }).fetchVideo(VIDEO_ID, options())
    await expect(started).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true })
  })

  test("the reason of the job's signal when the job is aborted", async () => {
    const site = await platform({ player: () => 'hang' })
    const job = new AbortController()
    const started = source(site, { requestTimeoutMs: 60_000 }).fetchVideo(VIDEO_ID, options(null, job.signal))
    await waitUntil('the platform is asked', () => asked(site).length > 0)
    job.abort(new Error('cancelled'))
    await expect(started).rejects.toThrow('cancelled')
  })
})

test('an aborted job does not disturb another one in the same session', async () => {
  const site = await platform({ player: (_, nth) => (nth === 1 ? 'hang' : playing()) })
  const videos = source(site, { requestTimeoutMs: 60_000 })
  const job = new AbortController()
  const first = videos.fetchVideo(VIDEO_ID, options(null, job.signal))
  const second = videos.fetchVideo(VIDEO_ID, options())
  await second
  job.abort(new Error('cancelled'))
  await expect(first).rejects.toThrow('cancelled')
  await expect(second).resolves.toMatchObject({ info: { video_id: VIDEO_ID } })
})

test('opens a session as another visitor when two apps meet the bot check', async () => {
  const site = await platform({ player: ({ visitor }) => (visitor === 'visitor-1' ? botCheck() : playing()) })
  await source(site).fetchVideo(VIDEO_ID, options())
  expect(site.seen.filter(({ client }) => client !== '').map(({ visitor }) => visitor)).toEqual([
    'visitor-1',
    'visitor-1',
    'visitor-2',
  ])
})

test('logs an unknown playability status as the platform sent it, up to a limit', async () => {
  const logged: [string, object][] = []
  const strange = { playabilityStatus: { status: 'NEW', newField: 'x'.repeat(9000) } }
  const site = await platform({ player: () => strange })
  const log = (message: string, fields: object) => logged.push([message, fields])
  await expect(source(site, { log }).fetchVideo(VIDEO_ID, options())).rejects.toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
  })
  const [, fields] = logged.find(([message]) => message === 'unknown playability status') ?? []
  expect(fields).toMatchObject({ client: 'ANDROID', state: expect.stringContaining('newField') })
  expect(JSON.stringify(fields).length).toBeLessThan(3000)
})

describe('proxies', () => {
  test('carry all requests when the caller wants them, in turn', async () => {
    const site = await platform({ player: () => playing(), captions: () => spoken('Hi.') })
    const [first, second] = [closedLater(await startTestProxy()), closedLater(await startTestProxy())]
    const videos = source(site, { proxyUrls: [first.url, second.url] })
    await (await videos.fetchVideo(VIDEO_ID, options(true))).fetchTranscript({ key: '.en' } as never)
    expect(first.tunnels()).toBeGreaterThan(0)
    expect(second.tunnels()).toBe(0)
    await videos.fetchVideo(VIDEO_ID, options(true))
    expect(second.tunnels()).toBeGreaterThan(0)
  })

  test.each([
    ['a bot check', botCheck()],
    ['a block of the country', refused('UNPLAYABLE', 'The uploader has not made this video available in your country')],
    ['429', 429],
  ])('are used after %s', async (_, reply) => {
    const proxy = closedLater(await startTestProxy())
    const site = await platform({ player: ({ visitor }) => (visitor === 'visitor-1' ? reply : playing()) })
    await source(site, { proxyUrls: [proxy.url] }).fetchVideo(VIDEO_ID, options(null))
    expect(proxy.tunnels()).toBeGreaterThan(0)
  })

  test('are not used when they are forbidden or not needed', async () => {
    const proxy = closedLater(await startTestProxy())
    const site = await platform({ player: (_, nth) => (nth === 1 ? playing() : botCheck()) })
    const videos = source(site, { proxyUrls: [proxy.url] })
    await videos.fetchVideo(VIDEO_ID, options(null))
    await expect(videos.fetchVideo(VIDEO_ID, options(false))).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
    expect(proxy.tunnels()).toBe(0)
  })

  test('are skipped when they fail', async () => {
    const [broken, working] = [closedLater(await startTestProxy(407)), closedLater(await startTestProxy())]
    const site = await platform({ player: () => playing() })
    await source(site, { proxyUrls: [broken.url, working.url] }).fetchVideo(VIDEO_ID, options(true))
    expect(working.tunnels()).toBeGreaterThan(0)
  })

  test('are required but not configured: the fetch fails', async () => {
    const site = await platform({ player: () => playing() })
    await expect(source(site).fetchVideo(VIDEO_ID, options(true))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    })
    expect(site.seen).toEqual([])
  })
})

test.each<[string, () => ScriptedReply, string | null]>([
  ['the website knows it', () => metadata('2025-03-02T10:00:00-08:00'), '2025-03-02T18:00:00.000Z'],
  ['the reply is about another video', () => metadata('2025-03-02', 'otherVideo1'), null],
  ['the reply is not a date', () => metadata('soon'), null],
  ['the request is refused', () => 429, null],
  ['the reply is not JSON', () => '<html>', null],
  ['no reply comes', () => 'hang', null],
])('fetchPublishedAt when %s', async (_, reply, publishedAt) => {
  const site = await platform({ player: () => playing(), captions: () => spoken('One.'), metadata: reply })
  const videos = source(site, reply() === 'hang' ? { metadataTimeoutMs: 100 } : {})
  const video = await videos.fetchVideo(VIDEO_ID, options())
  expect(video.info.published_at).toBeNull()
  expect(await video.fetchPublishedAt?.()).toBe(publishedAt)
  // Whatever the outcome, the egress and the session remain usable.
  await videos.fetchVideo(VIDEO_ID, options())
  expect(asked(site)).toEqual(['ANDROID', 'WEB', 'ANDROID'])
  expect(sessions(site)).toBe(1)
})

const metadata = (publishDate: string, videoId = VIDEO_ID) => ({
  videoDetails: { videoId },
  microformat: { playerMicroformatRenderer: { publishDate } },
})
