import type { CaptionTrack } from '@subtext/contracts'
import {
  botCheck,
  playing,
  type ScriptedReply,
  spoken,
  startTestPlatform,
  type TestPlatform,
  VIDEO_ID,
} from './testing/platform.ts'
import { PATIENT } from './testing/source.ts'
import { createYoutubeSource } from './youtube-source.ts'

const MANUAL: CaptionTrack = { key: '.en', language: 'en', kind: 'manual', name: 'English', isDefault: true }

let site: TestPlatform
afterEach(() => site.close())

const fetchCues = async (
  script: Parameters<typeof startTestPlatform>[0],
  requestTimeoutMs = PATIENT.requestTimeoutMs,
) => {
  site = await startTestPlatform(script)
  const source = createYoutubeSource({ origin: site.origin, proxyUrls: [], ...PATIENT, requestTimeoutMs })
  const video = await source.fetchVideo(VIDEO_ID, { useProxy: null, signal: new AbortController().signal })
  return (await video.fetchTranscript(MANUAL)).cues
}
const paths = () => site.seen.map(({ path, client }) => client || path)

test('uses the caption address of the next client when that of the first is gated', async () => {
  const cues = await fetchCues({
    player: ({ client }) => playing(client === 'ANDROID' ? '&exp=xpe' : ''),
    captions: () => spoken('Hello.'),
  })
  expect(cues).toEqual([{ startMs: 0, durationMs: 1500, text: 'Hello.' }])
  expect(paths()).toEqual(['/sw.js_data', 'ANDROID', 'VISIONOS', '/api/timedtext'])
})

test.each<[string, ScriptedReply]>([
  ['an empty body', ' '],
  ['a document without events', { wireMagic: 'pb3' }],
  ['events without text', { events: [{ tStartMs: 0, segs: [{ utf8: '\n' }] }] }],
  ['404', 404],
  ['503', 503],
  ['truncated JSON', '{"events":[{"tSta'],
])('asks the next client for captions after %s', async (_, reply) => {
  const cues = await fetchCues({
    player: () => playing(),
    captions: (_request, nth) => (nth === 1 ? reply : spoken('Hello.')),
  })
  expect(cues).toHaveLength(1)
  expect(paths()).toEqual(['/sw.js_data', 'ANDROID', '/api/timedtext', 'VISIONOS', '/api/timedtext'])
})

test('requests captions with the user agent of the client that got the address', async () => {
  await fetchCues({
    player: ({ client }) => (client === 'VISIONOS' ? playing() : {}),
    captions: () => spoken('Hello.'),
  })
  const [caption] = site.seen.filter(({ path }) => path === '/api/timedtext')
  expect(caption?.userAgent).toContain('Macintosh')
})

test.each<[string, string, ScriptedReply, string | null, string]>([
  ['no bytes', 'withheld', '', 'UPSTREAM_BLOCKED', 'ANDROID VISIONOS iOS ANDROID_REEL'],
  ['an empty envelope', 'withheld', { wireMagic: 'pb3' }, 'UPSTREAM_BLOCKED', 'ANDROID VISIONOS iOS ANDROID_REEL'],
  ['no cues', 'no_speech', { wireMagic: 'pb3', events: [] }, 'TRANSCRIPT_UNAVAILABLE', 'ANDROID VISIONOS iOS'],
  ['nothing but sounds', 'no_speech', spoken('[Music]', '♪～'), 'TRANSCRIPT_UNAVAILABLE', 'ANDROID'],
])('a track with %s for every app has the fault %s', async (_, fault, answer, code, apps) => {
  const fetched = fetchCues({ player: () => playing(), captions: () => answer })
  await expect(fetched).rejects.toMatchObject({ name: 'ServiceError', code, fault })
  expect(paths().filter((path) => !path.startsWith('/'))).toEqual(apps.split(' '))
})

test('ends the last cue with the video', async () => {
  const event = (tStartMs: number, dDurationMs: number) => ({
    tStartMs,
    dDurationMs,
    segs: [{ utf8: `at ${tStartMs}` }],
  })
  const cues = await fetchCues({
    player: () => playing(),
    captions: () => ({ events: [event(0, 60_000), event(290_000, 400_000), event(302_000, 1_000)] }),
  })
  expect(cues.map(({ durationMs }) => durationMs)).toEqual([60_000, 11_000, 1_000])
})

test.each<[string, string, () => ScriptedReply]>([
  ['UPSTREAM_BLOCKED', 'withheld for all clients', () => ' '],
  ['UPSTREAM_BLOCKED', 'rate limited', () => 429],
  ['UPSTREAM_BLOCKED', 'behind a CAPTCHA', () => 302],
  ['UPSTREAM_UNAVAILABLE', 'broken', () => 500],
  ['TRANSCRIPT_UNAVAILABLE', 'without speech', () => spoken('[Music]', '♪')],
])('fails with %s when captions are %s', async (code, _, reply) => {
  await expect(fetchCues({ player: () => playing(), captions: reply })).rejects.toMatchObject({
    name: 'ServiceError',
    code,
  })
})

test('fails with UPSTREAM_BLOCKED when every address is gated, without requesting any', async () => {
  const fetched = fetchCues({ player: () => playing('&exp=xpv'), captions: () => spoken('x') })
  await expect(fetched).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
  expect(paths()).toEqual(['/sw.js_data', 'ANDROID', 'VISIONOS', 'iOS', 'ANDROID_REEL'])
})

test('fails with UPSTREAM_UNAVAILABLE when captions never arrive', async () => {
  const fetched = fetchCues({ player: () => playing(), captions: () => 'hang' }, 100)
  await expect(fetched).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
})

test('fetches captions as a new visitor when they are rate limited for the first one', async () => {
  const cues = await fetchCues({
    player: ({ visitor }, nth) => (visitor === 'visitor-1' && nth > 1 ? botCheck() : playing()),
    captions: (_, nth) => (nth === 1 ? 429 : spoken('Hello.')),
  })
  expect(cues).toHaveLength(1)
  expect(site.seen.at(-2)?.visitor).toBe('visitor-2')
})

test.each([
  'http://169.254.169.254/latest/meta-data/?x=',
  'https://www.youtube.com.evil.example/api/timedtext?x=',
  'https://user:secret@www.youtube.com/api/timedtext?x=',
  'https://www.youtube.com:8443/api/timedtext?x=',
  'file:///etc/passwd?x=',
  '//evil.example/api/timedtext?x=',
])('never requests captions at %s', async (baseUrl) => {
  const hostile = playing()
  for (const track of hostile.captions.playerCaptionsTracklistRenderer.captionTracks) track.baseUrl = baseUrl
  await expect(fetchCues({ player: () => hostile, captions: () => spoken('x') })).rejects.toMatchObject({
    code: 'UPSTREAM_BLOCKED',
  })
  expect(paths()).toEqual(['/sw.js_data', 'ANDROID', 'VISIONOS', 'iOS', 'ANDROID_REEL'])
})

test('connects to the platform even if a path looks like a host', async () => {
  const hostile = playing()
  for (const track of hostile.captions.playerCaptionsTracklistRenderer.captionTracks) {
    track.baseUrl = 'https://www.youtube.com//evil.example/api/timedtext'
  }
  await expect(fetchCues({ player: () => hostile })).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  expect(site.seen.at(-1)).toMatchObject({ path: '//evil.example/api/timedtext', wantedHost: 'www.youtube.com' })
})

describe('captions that cannot be read end the fetch after one request:', () => {
  const UNREADABLE = { code: 'TRANSCRIPT_UNAVAILABLE', details: { reason: 'unreadable' }, retryable: false }
  const countCaptionRequests = () => site.seen.filter(({ path }) => path === '/api/timedtext').length

  test.each<[string, ScriptedReply]>([
    ['nested brackets', '['.repeat(100_000)],
    ['nested brackets within events', `{"events":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a body above the limit', 'WEBVTT '.padEnd(33 * 1024 * 1024)],
  ])('%s', async (_, reply) => {
    await expect(fetchCues({ player: () => playing(), captions: () => reply })).rejects.toMatchObject(UNREADABLE)
    expect(countCaptionRequests()).toBe(1)
  })

  test('a track that needs too much memory', async () => {
    site = await startTestPlatform({ player: () => playing(), captions: () => spoken('Hello.') })
    const readCaptions = () => Promise.reject(new RangeError('The work needs more memory than a thread has.'))
    const source = createYoutubeSource({ origin: site.origin, proxyUrls: [], ...PATIENT, readCaptions })
    const video = await source.fetchVideo(VIDEO_ID, { useProxy: null, signal: new AbortController().signal })
    await expect(video.fetchTranscript(MANUAL)).rejects.toMatchObject(UNREADABLE)
    expect(countCaptionRequests()).toBe(1)
  })
})
