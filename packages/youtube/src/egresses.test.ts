import {
  SAMPLE_TALKS,
  type SampleVideo,
  startVideoPlatform,
  SAMPLE_VIDEOS as V,
  type VideoPlatform,
} from '@subtext/fakes'
import { at } from '@subtext/runtime'
import { clientList } from './clients.ts'
import { EgressesRestingError } from './platform-errors.ts'
import { startTestProxy } from './testing/platform.ts'
import { openTestSource } from './testing/source.ts'
import type { YoutubeSourceOptions } from './youtube-source.ts'

let platform: VideoPlatform
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  platform = await startVideoPlatform()
})
afterAll(() => platform.close())
beforeEach(() => platform.reset())
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const open = (options: Partial<YoutubeSourceOptions> = {}) => openTestSource(platform.origin, options)

describe('egresses', () => {
  const talks = Object.values(SAMPLE_TALKS)
  const CAPTCHA = { status: 429, body: '<!DOCTYPE html><form id="captcha-form">' }

  test('rest when they are blocked, and recover', async () => {
    let now = Date.now()
    const { fetchVideo, egressChanges } = open({ restMs: 60_000, now: () => now })
    for (const kind of ['player', 'reel'] as const) platform.failNext({ kind, times: 99, outcome: CAPTCHA })
    for (const talk of talks.slice(0, 3)) {
      await expect(fetchVideo(talk)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
    }
    expect(egressChanges).toEqual(['direct resting'])
    platform.reset()
    // A resting egress sends no request, and the error does not claim that there are no captions.
    const refused = await fetchVideo(V.manyTracks).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(EgressesRestingError)
    expect(refused).toMatchObject({ code: 'UPSTREAM_BLOCKED', retryAfterSeconds: 60, retryAt: new Date(now + 60_000) })
    expect(platform.requests).toEqual([])
    now += 60_000
    await fetchVideo(V.manyTracks)
    expect(egressChanges).toEqual(['direct resting', 'direct recovered'])
  })

  describe('of which nothing has been answered lately', () => {
    const controlVideoIds = talks.slice(0, 3).map(({ id }) => id)

    test('rest after a lone video that is turned away, once control videos are turned away, too', async () => {
      const now = Date.now()
      const { fetchVideo, egressChanges } = open({ controlVideoIds, restMs: 60_000, now: () => now })
      for (const kind of ['player', 'reel'] as const) platform.failNext({ kind, times: 99, outcome: CAPTCHA })
      const refused = await fetchVideo(V.manyTracks).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(EgressesRestingError)
      // After the rest, videos that have not been turned away come first.
      expect(refused).toMatchObject({ retryAt: new Date(now + 70_000) })
      expect(egressChanges).toEqual(['direct resting'])
      const asked = new Set(platform.requests.filter(({ kind }) => kind === 'player').map(({ videoId }) => videoId))
      expect([...asked]).toEqual([V.manyTracks.id, ...controlVideoIds.slice(0, 2)])
    })

    test('stay open when a control video is answered, and no further one is requested while that is recent', async () => {
      let now = Date.now()
      const { fetchVideo, egressChanges } = open({ controlVideoIds, now: () => now })
      const countControls = () => controlVideoIds.map((videoId) => platform.count({ videoId, kind: 'player' }))
      const guarded = { code: 'UPSTREAM_BLOCKED', retryAfterSeconds: undefined }
      await expect(fetchVideo(V.botCheckAlways)).rejects.toMatchObject(guarded)
      expect(countControls()).toEqual([1, 0, 0])
      await expect(fetchVideo(V.botCheckAlways)).rejects.toMatchObject(guarded)
      expect(countControls()).toEqual([1, 0, 0])
      now += 60_000
      await expect(fetchVideo(V.botCheckAlways)).rejects.toMatchObject(guarded)
      expect(countControls()).toEqual([2, 0, 0])
      expect(egressChanges).toEqual([])
    })

    test('need no control video when the platform says that the video is gone', async () => {
      const { fetchVideo } = open({ controlVideoIds })
      await expect(fetchVideo(V.private)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNAVAILABLE' })
      expect(controlVideoIds.map((videoId) => platform.count({ videoId }))).toEqual([0, 0, 0])
    })
  })

  test('are reported with the earliest next try once all that a job may use are resting', async () => {
    const now = Date.now()
    const proxies = await Promise.all([startTestProxy(), startTestProxy()])
    closing.push(...proxies.map(({ close }) => close))
    const clients = clientList.parse('ANDROID,IOS')
    const { source } = open({ clients, now: () => now, proxyUrls: proxies.map(({ url }) => url) })
    const fetchRetryAt = async (useProxy: boolean | null) => {
      const fetched = source.fetchVideo(V.manyTracks.id, { useProxy, signal: new AbortController().signal })
      return (await fetched.catch((error: EgressesRestingError) => error)) as { retryAt?: Date }
    }
    for (const seconds of [300, 120, 240]) {
      // Two apps must say so through each egress.
      platform.failNext({
        times: 2,
        kind: 'player',
        outcome: { status: 429, headers: { 'retry-after': `${seconds}` } },
      })
    }
    // The job that finds out reports the rest, too.
    expect(await fetchRetryAt(null)).toMatchObject({ retryAt: new Date(now + 120_000) })
    expect(await fetchRetryAt(false)).toMatchObject({ retryAt: new Date(now + 300_000) })
    expect(await fetchRetryAt(true)).toMatchObject({ retryAt: new Date(now + 120_000) })
    expect(platform.count({ kind: 'player' })).toBe(6)
  })

  test('are tried by a single job first after a rest', async () => {
    let now = Date.now()
    const { fetchVideo, egressChanges } = open({ restMs: 60_000, now: () => now })
    platform.failNext({ kind: 'player', times: 2, outcome: { ...CAPTCHA, headers: { 'retry-after': '70' } } })
    await expect(fetchVideo(V.manyTracks)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
    now += 70_000
    platform.reset()
    // The first job's request is answered when the other jobs have been refused.
    const release = platform.hold({ kind: 'player' })
    let refused = 0
    const fetching = talks.map((talk) => fetchVideo(talk))
    for (const job of fetching) {
      job.catch(() => {
        if (++refused === talks.length - 1) release()
      })
    }
    const outcomes = await Promise.allSettled(fetching)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(platform.count({ kind: 'player' })).toBe(1)
    expect(egressChanges).toEqual(['direct resting', 'direct recovered'])
    await expect(Promise.all(talks.map((talk) => fetchVideo(talk)))).resolves.toHaveLength(talks.length)
  })

  test('are replaced by a proxy while the direct one rests, and a dead proxy is skipped', async () => {
    const [dead, working] = [await startTestProxy(407), await startTestProxy()]
    closing.push(dead.close, working.close)
    const { fetchVideo, attempts, egressChanges } = open({ restMs: 60_000, proxyUrls: [dead.url, working.url] })
    platform.failNext({ kind: 'player', times: 2, outcome: { ...CAPTCHA, headers: { 'retry-after': '60' } } })
    for (const talk of talks) await fetchVideo(talk)
    expect(egressChanges).toEqual(['direct resting', 'proxy_1 resting'])
    expect(attempts.filter((attempt) => attempt.startsWith('direct'))).toHaveLength(2)
    const before = dead.tunnels()
    await fetchVideo(V.manyTracks)
    expect(dead.tunnels()).toBe(before)
  })

  test('are replaced by a proxy when something on the way replies in place of the platform', async () => {
    const proxy = await startTestProxy()
    closing.push(proxy.close)
    const { fetchVideo, attempts, egressChanges } = open({
      clients: clientList.parse('ANDROID,IOS'),
      proxyUrls: [proxy.url],
    })
    platform.failNext({ kind: 'player', times: 2, outcome: { status: 200, body: '{}' } })
    await expect(fetchVideo(V.manyTracks)).resolves.toBeDefined()
    expect(attempts).toEqual(['direct ANDROID no_status', 'direct IOS no_status', 'proxy_1 ANDROID answered'])
    expect(egressChanges).toEqual([])
  })

  test('are not used by a job that has seen its video through one which then rests', async () => {
    const proxy = await startTestProxy()
    closing.push(proxy.close)
    const { fetchVideo } = open({ restMs: 60_000, proxyUrls: [proxy.url] })
    const [first, second] = talks as [SampleVideo, SampleVideo]
    const video = await fetchVideo(first)
    platform.failNext({ kind: 'player', times: 2, outcome: { ...CAPTCHA, headers: { 'retry-after': '60' } } })
    await fetchVideo(second)
    const players = platform.count({ videoId: first.id, kind: 'player' })
    await video.fetchTranscript(at(video.tracks, 0))
    const [player, captions] = platform.requests.slice(-2)
    expect(player).toMatchObject({ kind: 'player', videoId: first.id })
    expect(captions).toMatchObject({ kind: 'timedtext', client: player?.client })
    expect(platform.count({ videoId: first.id, kind: 'player' })).toBe(players + 1)
  })

  test('stay open when the website refuses the comments of many videos', async () => {
    const { fetchComments, egressChanges } = open()
    for (const talk of talks.slice(0, 3)) {
      platform.failNext({ kind: 'next', times: 2, outcome: CAPTCHA })
      await expect(fetchComments(talk)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
    }
    expect(egressChanges).toEqual([])
  })

  test('stay open when a single guarded video is refused again and again', async () => {
    const { fetchVideo, egressChanges } = open()
    for (let turn = 0; turn < 4; turn++) {
      await expect(fetchVideo(V.botCheckAlways)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
    }
    await expect(fetchVideo(V.manyTracks)).resolves.toBeDefined()
    expect(egressChanges).toEqual([])
  })
})

test('50 concurrent jobs that share a session each get their own video and captions', async () => {
  const { source } = open()
  const talks = Object.values(SAMPLE_TALKS)
  platform.delay({ kind: 'timedtext', ms: 20 })
  const jobs = Array.from({ length: 50 }, async (_, job) => {
    const talk = at(talks, job % talks.length)
    const controller = new AbortController()
    const video = await source.fetchVideo(talk.id, { useProxy: null, signal: controller.signal })
    if (job % 10 === 9) controller.abort(new Error('cancelled'))
    const track = at(video.tracks, job % video.tracks.length)
    const { cues } = await video.fetchTranscript(track)
    return { job, talk, track, video, cues }
  })
  const ended = await Promise.allSettled(jobs)
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  for (const outcome of ended) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ message: 'cancelled' })
    else {
      const { talk, track, video, cues } = outcome.value
      expect(video.info).toMatchObject({ video_id: talk.id, title: talk.title })
      const sample = talk.tracks.find((one) => `${one.kind === 'auto' ? 'a' : ''}.${one.language}` === track.key)
      if (sample?.kind === 'manual') expect(cues.map(({ text }) => text)).toEqual(sample.cues().map(({ text }) => text))
      else expect(cues.length).toBeGreaterThan(10)
    }
  }
  expect(platform.count({ kind: 'session' })).toBe(1)
  expect(new Set(platform.requests.map(({ visitorData }) => visitorData).filter(Boolean)).size).toBe(1)
})
