import { startVideoPlatform, SAMPLE_VIDEOS as V, type VideoPlatform } from '@subtext/fakes'
import { clientList, DEFAULT_CLIENTS } from '../clients.ts'
import { startTestProxy } from '../testing/platform.ts'
import { describeCanary, runCanary } from './run-canary.ts'

let platform: VideoPlatform
beforeAll(async () => {
  platform = await startVideoPlatform()
})
afterAll(() => platform.close())
beforeEach(() => platform.reset())

const run = (videoId: string, proxyUrls: string[] = []) =>
  runCanary({ videoId, proxyUrls, origin: platform.origin, clients: clientList.parse(DEFAULT_CLIENTS) })

test('runCanary reports which client works, and why another does not', async () => {
  const report = await run(V.refusesAndroid.id)
  expect(report).toMatchObject({ video_id: V.refusesAndroid.id, works: true })
  expect(report.probes.map(({ client, works, code, why }) => [client, works, code, why])).toEqual([
    ['ANDROID', false, 'VIDEO_UNAVAILABLE', 'unplayable'],
    ['VISIONOS', true, null, null],
    ['IOS', true, null, null],
    ['ANDROID_REEL', false, 'VIDEO_UNAVAILABLE', 'unplayable'],
  ])
  expect(report.probes[1]).toMatchObject({ exit: 'direct', tracks: 2, lines: 12 })
  expect(describeCanary(report)).toMatch(
    /direct {4}VISIONOS +works .*\n.*\n.*ANDROID_REEL +FAILS .*unplayable\)\nCaptions are available/,
  )
})

test('runCanary fails when one egress gets no captions, without revealing its address', async () => {
  const [dead, working] = [await startTestProxy(407), await startTestProxy()]
  try {
    const report = await run(V.manyTracks.id, [working.url, dead.url])
    expect(report.works).toBe(false)
    expect(report.probes.map(({ exit, works }) => `${exit} ${works}`)).toEqual([
      ...Array(4).fill('direct true'),
      ...Array(4).fill('proxy_1 true'),
      ...Array(4).fill('proxy_2 false'),
    ])
    expect(JSON.stringify(report)).not.toContain(new URL(dead.url).port)
  } finally {
    await Promise.all([dead.close(), working.close()])
  }
})
