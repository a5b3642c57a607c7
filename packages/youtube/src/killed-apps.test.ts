import { clientList, DEFAULT_CLIENTS } from './clients.ts'
import {
  botCheck,
  playing,
  refused,
  type ScriptedReply,
  spoken,
  startTestPlatform,
  type TestPlatform,
  VIDEO_ID,
} from './testing/platform.ts'
import { openTestSource } from './testing/source.ts'

let site: TestPlatform
afterEach(() => site.close())

const CLIENTS = clientList.parse(DEFAULT_CLIENTS).filter(({ name }) => name !== 'WEB')
const NAMES = CLIENTS.map(({ name }) => name)

/** How the platform retires an app: what it replies for the video, and for captions whose address the app got. */
interface Death {
  player: ScriptedReply
  captions?: ScriptedReply
}
const DEATHS: [string, Death][] = [
  ['400', { player: 400 }],
  ['the bot check', { player: botCheck() }],
  ['a demand to sign in', { player: refused('UNPLAYABLE', 'Please sign in') }],
  ['403', { player: 403 }],
  ['429', { player: 429 }],
  ['captions that need a token', { player: playing('&exp=xpe') }],
  ['empty captions', { player: playing('&dead=1'), captions: '' }],
  ['403 for captions', { player: playing('&dead=1'), captions: 403 }],
  ['no playability status', { player: {} }],
]

const openSite = async ({ player, captions }: Death, isDead: (client: string) => boolean) => {
  site = await startTestPlatform({
    player: ({ client }) => (isDead(client.toUpperCase()) ? player : playing()),
    captions: ({ query }) => (query.has('dead') ? (captions ?? 404) : spoken('Hello.')),
  })
  return openTestSource(site.origin, { clients: CLIENTS })
}
const fetchTranscript = async ({ source }: Awaited<ReturnType<typeof openSite>>, videoId = VIDEO_ID) => {
  const video = await source.fetchVideo(videoId, { useProxy: null, signal: new AbortController().signal })
  const { cues } = await video.fetchTranscript({ key: '.en' } as never)
  return cues.map(({ text }) => text)
}
const timesAsked = (name: string): number => site.seen.filter(({ client }) => client.toUpperCase() === name).length

describe.each(DEATHS)('when the platform replies %s to', (_, death) => {
  test.each(NAMES)('%s alone, a job gets its transcript and asks it at most once', async (killed) => {
    const opened = await openSite(death, (client) => client === killed)
    expect(await fetchTranscript(opened)).toEqual(['Hello.'])
    expect(timesAsked(killed)).toBeLessThanOrEqual(1)
    expect(opened.egressChanges).toEqual([])
  })

  test.each(NAMES)('all apps but %s, a job gets its transcript and asks each at most twice', async (spared) => {
    const opened = await openSite(death, (client) => client !== spared)
    expect(await fetchTranscript(opened)).toEqual(['Hello.'])
    for (const name of NAMES) expect(timesAsked(name)).toBeLessThanOrEqual(2)
    expect(opened.egressChanges).toEqual([])
  })

  test('all apps, a job fails in a way that is worth another try, and asks each at most twice', async () => {
    const opened = await openSite(death, () => true)
    await expect(fetchTranscript(opened)).rejects.toMatchObject({
      code: expect.stringMatching(/^UPSTREAM_/),
      retryable: true,
    })
    for (const name of NAMES) expect(timesAsked(name)).toBeLessThanOrEqual(2)
  })
})

test('an app that is dead for three videos is asked first again after ten minutes, and by no job before', async () => {
  let now = Date.now()
  const [first] = NAMES
  site = await startTestPlatform({
    player: ({ client, videoId }) =>
      client === first ? botCheck() : { ...playing(), videoDetails: { ...playing().videoDetails, videoId } },
    captions: () => spoken('Hello.'),
  })
  const opened = openTestSource(site.origin, { clients: CLIENTS, now: () => now })
  const videos = Array.from({ length: 6 }, (_, index) => `video-${index}-abc`)
  for (const video of videos) await fetchTranscript(opened, video)
  expect(timesAsked(first ?? '')).toBe(3)
  now += 10 * 60_000
  await fetchTranscript(opened)
  expect(timesAsked(first ?? '')).toBe(4)
  expect(opened.egressChanges).toEqual([])
})

test.each([
  ['stays open when one app is', 1, []],
  ['rests when two apps are', 2, ['direct resting']],
])('an egress %s turned away for three videos', async (_, count, changes) => {
  const turnedAway = NAMES.slice(0, count)
  site = await startTestPlatform({
    player: ({ client }) => (turnedAway.some((name) => name === client.toUpperCase()) ? botCheck() : 400),
  })
  const opened = openTestSource(site.origin, { clients: CLIENTS })
  for (const video of ['video-1-abc', 'video-2-abc', 'video-3-abc']) {
    await expect(fetchTranscript(opened, video)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
  }
  expect(opened.egressChanges).toEqual(changes)
})
