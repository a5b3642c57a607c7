import { createLocalTimes } from '@subtext/runtime'
import { DOUBT_MS } from './doubts.ts'
import { EgressesRestingError, LastingBlockError } from './platform-errors.ts'
import {
  playing,
  refused,
  type ScriptedReply,
  startTestPlatform,
  startTestProxy,
  type TestPlatform,
  VIDEO_ID,
} from './testing/platform.ts'
import { openTestSource } from './testing/source.ts'
import type { YoutubeSourceOptions } from './youtube-source.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((server) => server.close()))
})

let site: TestPlatform
const openSite = async (reply: (client: string) => ScriptedReply, options: Partial<YoutubeSourceOptions> = {}) => {
  site = await startTestPlatform({ player: ({ client, visitor }) => reply(`${client} ${visitor}`) })
  closing.push(site)
  return openTestSource(site.origin, options)
}
const openProxy = async (): Promise<string> => {
  const proxy = await startTestProxy()
  closing.push(proxy)
  return proxy.url
}
const fetchVideo = ({ source }: Awaited<ReturnType<typeof openSite>>, videoId = VIDEO_ID) =>
  source.fetchVideo(videoId, { useProxy: null, signal: new AbortController().signal }).catch((error: unknown) => error)
const countAsked = () => site.seen.filter(({ client }) => client !== '').length

const CONTENT = "This content isn't available."
const NETWORK =
  'This video is restricted. Please check the Google Workspace administrator and/or the network administrator restrictions.'

describe.each([CONTENT, NETWORK])('the words %j', (words) => {
  const reply = refused('UNPLAYABLE', words)

  test('are about the address if the video plays through another egress', async () => {
    const proxyUrls = [await openProxy()]
    const opened = await openSite((asked) => (asked.endsWith('visitor-1') ? reply : playing()), { proxyUrls })
    expect(await fetchVideo(opened)).toMatchObject({ info: { video_id: VIDEO_ID } })
  })

  test('are about the video if another egress says the same, and neither egress rests', async () => {
    const opened = await openSite(() => reply, { proxyUrls: [await openProxy(), await openProxy()] })
    for (const videoId of ['video-1-abc', 'video-2-abc', 'video-3-abc', 'video-4-abc']) {
      expect(await fetchVideo(opened, videoId)).toMatchObject({ code: 'VIDEO_UNAVAILABLE', retryable: false })
    }
    expect(opened.egressChanges).toEqual([])
    // Through the first egress every app, through the second one as many as have to agree.
    expect(countAsked()).toBe(4 * (4 + 2))
  })

  test('end the job after every app has said them twice, 30 seconds apart, if there is no other egress', async () => {
    let now = Date.now()
    const opened = await openSite(() => reply, { now: () => now })
    const first = await fetchVideo(opened)
    expect(first).toBeInstanceOf(EgressesRestingError)
    expect(first).toMatchObject({ code: 'UPSTREAM_BLOCKED', retryAt: new Date(now + 30_000), retryable: true })
    expect(new Set(opened.attempts.map((attempt) => attempt.split(' ')[1])).size).toBe(4)
    now += 29_999
    expect(await fetchVideo(opened)).toBeInstanceOf(EgressesRestingError)
    now += 1
    const last = await fetchVideo(opened)
    expect(last).toBeInstanceOf(LastingBlockError)
    expect(last).toMatchObject({ code: 'UPSTREAM_BLOCKED', retryable: true })
  })

  test('end the job although another process has heard them the first time', async () => {
    let now = Date.now()
    const options = { now: () => now, doubtTimes: createLocalTimes(DOUBT_MS, () => now) }
    const opened = await openSite(() => reply, options)
    expect(await fetchVideo(opened)).toMatchObject({ retryAt: new Date(now + 30_000) })
    now += 30_000
    expect(await fetchVideo(openTestSource(site.origin, options))).toBeInstanceOf(LastingBlockError)
  })

  test('are forgotten when the video plays', async () => {
    let now = Date.now()
    let plays = false
    const opened = await openSite(() => (plays ? playing() : reply), { now: () => now })
    for (const playsNow of [false, true, false]) {
      plays = playsNow
      const outcome = await fetchVideo(opened)
      expect(outcome instanceof EgressesRestingError).toBe(!plays)
      now += 60_000
    }
  })

  test('prove nothing if one app is refused in other words', async () => {
    const opened = await openSite(
      (asked) => (asked.startsWith('VISIONOS') ? refused('LOGIN_REQUIRED', 'Please sign in') : reply),
      { proxyUrls: [await openProxy()] },
    )
    expect(await fetchVideo(opened)).toMatchObject({ code: 'UPSTREAM_BLOCKED' })
  })
})

test('different words through two egresses are no agreement', async () => {
  const opened = await openSite((asked) => refused('UNPLAYABLE', asked.endsWith('visitor-1') ? CONTENT : NETWORK), {
    proxyUrls: [await openProxy()],
  })
  expect(await fetchVideo(opened)).toMatchObject({ code: 'UPSTREAM_BLOCKED' })
})
