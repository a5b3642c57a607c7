import { startVideoPlatform, SAMPLE_VIDEOS as V, type VideoPlatform } from '@subtext/fakes'
import { clientList, lastWorkedOn, selectVersions } from '../clients.ts'
import { playing, spoken, startTestPlatform, startTestProxy, VIDEO_ID } from '../testing/platform.ts'
import { PATIENT } from '../testing/source.ts'
import { describeCanary, renderCanaryMetrics } from './describe-canary.ts'
import { type CanarySettings, runCanary } from './run-canary.ts'

let platform: VideoPlatform
beforeAll(async () => {
  platform = await startVideoPlatform()
})
afterAll(() => platform.close())
beforeEach(() => platform.reset())

const DAY_MS = 24 * 60 * 60_000
const IOS_VERSION = selectVersions([{ name: 'IOS' }]).get('IOS') ?? ''
/** The day on which the version of IOS in the table was last known to work. */
const IOS_WORKED = lastWorkedOn('IOS', IOS_VERSION) ?? ''
const after = (days: number) => Date.parse(IOS_WORKED) + days * DAY_MS

const run = (videoId: string, settings: Partial<CanarySettings> = {}) =>
  runCanary({
    videoId,
    proxyUrls: [],
    origin: platform.origin,
    clients: PATIENT.clients,
    now: () => after(10),
    ...settings,
  })

test('runCanary reports which client works, and why another does not', async () => {
  const report = await run(V.refusesAndroid.id)
  expect(report).toMatchObject({ video_id: V.refusesAndroid.id, works: true, alarms: [] })
  expect(report.probes.map(({ client, works, code, why }) => [client, works, code, why])).toEqual([
    ['ANDROID', false, 'VIDEO_UNAVAILABLE', 'unplayable'],
    ['VISIONOS', true, null, null],
    ['IOS', true, null, null],
    ['ANDROID_REEL', false, 'VIDEO_UNAVAILABLE', 'unplayable'],
  ])
  expect(report.probes[1]).toMatchObject({ egress: 'direct', tracks: 2, lines: 12 })
  expect(report.clients.map(({ client, working_egresses }) => `${client} ${working_egresses}`)).toEqual([
    'ANDROID ',
    'VISIONOS direct',
    'IOS direct',
    'ANDROID_REEL ',
  ])
  const text = describeCanary(report)
  expect(text).toMatch(/direct {4}VISIONOS +works .*\n.*\n.*ANDROID_REEL +FAILS .*unplayable\)\n/)
  expect(text).toMatch(/\nCaptions are available through every egress\.$/)
  expect(text).toContain(`\nIOS@${IOS_VERSION}`)
})

test('runCanary fails when one egress gets no captions, without revealing its address', async () => {
  const [dead, working] = [await startTestProxy(407), await startTestProxy()]
  try {
    const report = await run(V.manyTracks.id, { proxyUrls: [working.url, dead.url] })
    expect(report.works).toBe(false)
    expect(report.probes.map(({ egress, works }) => `${egress} ${works}`)).toEqual([
      ...Array(4).fill('direct true'),
      ...Array(4).fill('proxy_1 true'),
      ...Array(4).fill('proxy_2 false'),
    ])
    expect(report.clients.map(({ working_egresses }) => working_egresses)).toEqual(Array(4).fill(['direct', 'proxy_1']))
    expect(JSON.stringify(report)).not.toContain(new URL(dead.url).port)
  } finally {
    await Promise.all([dead.close(), working.close()])
  }
})

test.each([
  ['no playability status', V.formless.id],
  ['an unknown playability status', V.unknownState.id],
])('runCanary raises an alarm for each app whose response has %s', async (_, videoId) => {
  const report = await run(videoId)
  expect(report.works).toBe(false)
  expect(report.alarms).toHaveLength(4)
  expect(report.alarms[0]).toMatch(/^ANDROID through direct: .*playability status/)
  expect(describeCanary(report)).toContain(`\nALARM: ${report.alarms[0]}\n`)
})

test('runCanary warns about a version of the table that has not been confirmed for 90 days, and says how old it is', async () => {
  const clients = clientList.parse('IOS')
  expect((await run(V.manyTracks.id, { clients, now: () => after(90) })).warnings).toEqual([])
  const report = await run(V.manyTracks.id, { clients, now: () => after(91) })
  expect(report).toMatchObject({
    works: true,
    clients: [{ version: IOS_VERSION, last_worked: IOS_WORKED, age_days: 91 }],
  })
  expect(report.warnings).toEqual([
    expect.stringMatching(`^IOS@${IOS_VERSION} is old: .* 91 days ago, on ${IOS_WORKED}`),
  ])
  expect(describeCanary(report)).toContain(`\nWarning: ${report.warnings[0]}\n`)
})

test('runCanary knows no age of a version that was set by hand', async () => {
  const report = await run(V.manyTracks.id, { clients: clientList.parse('IOS@99.1'), now: () => after(5_000) })
  expect(report.clients).toMatchObject([{ version: '99.1', last_worked: null, age_days: null }])
  expect(report.warnings).toEqual([])
})

test('runCanary asks each client of an app as the version that is set for one of them, as workers do', async () => {
  const site = await startTestPlatform({ player: () => playing(), captions: () => spoken('Hello.') })
  try {
    const clients = clientList.parse('ANDROID_REEL,ANDROID@77.1')
    const report = await run(VIDEO_ID, { clients, origin: site.origin })
    const players = site.seen.filter(({ path }) => path.startsWith('/youtubei/'))
    expect(players.map(({ userAgent }) => / ?[^/]*\/([\d.]+)/.exec(userAgent)?.[1])).toEqual(['77.1', '77.1'])
    expect(report.probes.map(({ client, version }) => `${client} ${version}`)).toEqual([
      'ANDROID_REEL 77.1',
      'ANDROID 77.1',
    ])
    expect(report.clients.map(({ version, age_days }) => [version, age_days])).toEqual(Array(2).fill(['77.1', null]))
  } finally {
    await site.close()
  }
})

test('renderCanaryMetrics reports each app by itself', async () => {
  const lines = (await renderCanaryMetrics(await run(V.refusesAndroid.id))).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'subtext_canary_works{egress="direct",client="ANDROID"} 0',
      'subtext_canary_works{egress="direct",client="VISIONOS"} 1',
      'subtext_canary_unknown_format{egress="direct",client="IOS"} 0',
      'subtext_canary_version_age_days{client="IOS"} 10',
      `subtext_canary_checked_timestamp_seconds ${after(10) / 1000}`,
    ]),
  )
})

test('runCanary takes the replies of a function in place of a server', async () => {
  const paths = new Set<string>()
  const report = await run(V.english.id, {
    origin: undefined,
    fetch: async (url, { method, headers, body }) => {
      paths.add(`${url.origin}${url.pathname}`)
      return fetch(new URL(url.pathname + url.search, platform.origin), { method, headers, body })
    },
  })
  expect(report.works).toBe(true)
  expect(new Set(report.probes.map(({ egress }) => egress))).toEqual(new Set(['sample']))
  expect([...paths]).toContain('https://www.youtube.com/api/timedtext')
  expect(describeCanary(report)).toContain('The video platform was not asked.')
})
