import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type SampleVideo, startVideoPlatform, SAMPLE_VIDEOS as V, type VideoPlatform } from '@subtext/fakes'
import { Constants } from 'youtubei.js'
import { selectVersions } from './clients.ts'
import { openTestSource, type TestSource } from './testing/source.ts'
import { createHttpTokenProvider } from './token-provider.ts'
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

const open = (options: Partial<YoutubeSourceOptions> = {}): TestSource => openTestSource(platform.origin, options)

const TEA = 'Let us make one good cup of tea.'

describe('the source tries the next client or session when', () => {
  test.each<[string, SampleVideo, string[]]>([
    ['one client is refused', V.refusesAndroid, ['ANDROID unplayable', 'VISIONOS answered']],
    ['one client gets a decoy', V.decoyForAndroid, ['ANDROID decoy', 'VISIONOS answered']],
    ['one client gets 400', V.preconditionForAndroid, ['ANDROID http_400', 'VISIONOS answered']],
    [
      'the video plays only as a short video',
      V.playsInReelOnly,
      ['ANDROID unplayable', 'VISIONOS unplayable', 'IOS unplayable', 'ANDROID_REEL answered'],
    ],
    [
      'a session meets the bot check',
      V.botCheckFirstSession,
      ['ANDROID bot_check', 'VISIONOS bot_check', 'IOS answered'],
    ],
    ['the first two requests meet it', V.botCheckAtFirst, ['ANDROID bot_check', 'VISIONOS bot_check', 'IOS answered']],
  ])('%s', async (_, video, expected) => {
    const { fetchText, attempts } = open()
    expect(await fetchText(video)).toContain(TEA)
    // The last attempt fetches the captions.
    expect(attempts.slice(0, -1)).toEqual(expected.map((attempt) => `direct ${attempt}`))
    expect(attempts.at(-1)).toMatch(/answered$/)
  })

  test('the caption addresses of one client are gated', async () => {
    const { fetchText, attempts } = open()
    expect(await fetchText(V.gatedForAndroid)).toContain(TEA)
    expect(attempts.map((attempt) => attempt.replace('direct ', ''))).toEqual([
      'ANDROID answered',
      'ANDROID gated_captions',
      'VISIONOS answered',
    ])
    expect(platform.requests.filter(({ kind }) => kind === 'timedtext').map(({ client }) => client)).toEqual([
      'VISIONOS',
    ])
  })

  test('a session has been used too often', async () => {
    const { fetchVideo } = open()
    for (let turn = 0; turn < 5; turn++) await fetchVideo(V.tiredSession)
    expect(platform.count({ kind: 'session' })).toBe(2)
  })
})

describe('the source reports the right code when', () => {
  test.each<[string, SampleVideo, string]>([
    ['caption documents are empty', V.emptyDocument, 'UPSTREAM_BLOCKED'],
    ['caption bodies are empty', V.captionsWithheld, 'UPSTREAM_BLOCKED'],
    ['all addresses are gated', V.gatedForAll, 'UPSTREAM_BLOCKED'],
    ['only the web player plays the video', V.webOnly, 'VIDEO_UNAVAILABLE'],
    ['responses are truncated', V.truncatedJson, 'UPSTREAM_UNAVAILABLE'],
    ['the platform is down', V.serverErrorAlways, 'UPSTREAM_UNAVAILABLE'],
    ['a stream has just ended', V.endedLive, 'TRANSCRIPT_UNAVAILABLE'],
  ])('%s', async (_, video, code) => {
    await expect(open().fetchText(video)).rejects.toMatchObject({ name: 'ServiceError', code })
  })

  test('a playability status is unknown, which it also counts', async () => {
    const { fetchVideo, unknown } = open()
    await expect(fetchVideo(V.unknownState)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true })
    expect(unknown).toEqual(['ANDROID', 'VISIONOS', 'IOS', 'ANDROID_REEL'])
  })

  test('responses have no playability status, which it also counts', async () => {
    const { fetchVideo, missing, unknown } = open()
    await expect(fetchVideo(V.formless)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true })
    expect(missing).toEqual(['ANDROID', 'VISIONOS', 'IOS', 'ANDROID_REEL'])
    expect(unknown).toEqual([])
  })

  test('a video is still being processed', async () => {
    await expect(open().fetchVideo(V.processing)).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNAVAILABLE',
      details: { reason: 'not_yet_captioned' },
      retryable: true,
    })
  })

  test('all apps are asked to sign in', async () => {
    await expect(open().fetchVideo(V.signInAlways)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED', retryable: true })
  })

  test.each<[string, 'hang' | 'reset']>([
    ['nothing replies', 'hang'],
    ['connections break', 'reset'],
  ])('%s', async (_, outcome) => {
    platform.failNext({ kind: 'player', times: 99, outcome })
    platform.failNext({ kind: 'reel', times: 99, outcome })
    const { fetchVideo, attempts } = open({ requestTimeoutMs: 200 })
    await expect(fetchVideo(V.noCaptions)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    expect(attempts).toHaveLength(4)
  })

  test('the time for the whole job is up, even if a request may take longer', async () => {
    platform.failNext({ kind: 'player', times: 99, outcome: 'hang' })
    const { fetchVideo } = open({ requestTimeoutMs: 60_000, budgetMs: 300 })
    await expect(fetchVideo(V.noCaptions)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  })
})

describe('a second view of a video', () => {
  test('adds the manual track that the first client was not told about', async () => {
    const { fetchVideo, fetchText } = open()
    const { tracks, info } = await fetchVideo(V.styledHidden)
    expect(tracks.map(({ key }) => key)).toEqual(['a.en', '.en'])
    expect(info.available_tracks?.map(({ kind }) => kind)).toEqual(['auto', 'manual'])
    platform.reset()
    expect(await fetchText(V.styledHidden)).toContain(TEA)
    expect(platform.requests.at(-1)).toMatchObject({ kind: 'timedtext', track: '.en', client: 'VISIONOS' })
  })

  test('adds the manual track in the spoken language if the first client knows only others', async () => {
    const { tracks } = await open().fetchVideo(V.styledHiddenBehindGerman)
    expect(tracks.map(({ key }) => key)).toEqual(['.de', 'a.en', '.en'])
  })

  test('is not requested if there are manual tracks, and its failure is ignored', async () => {
    const { fetchVideo } = open()
    await fetchVideo(V.manyTracks)
    expect(platform.count({ kind: 'player' })).toBe(1)
    for (const client of ['VISIONOS', 'IOS']) platform.failNext({ kind: 'player', client, outcome: { status: 500 } })
    expect((await fetchVideo(V.styledHidden)).tracks.map(({ key }) => key)).toEqual(['a.en'])
  })
})

test('lists 36 tracks in the order of the platform', async () => {
  const { info, tracks } = await open().fetchVideo(V.manyTracks)
  expect(tracks).toHaveLength(36)
  expect(info.available_tracks?.[0]).toEqual({ language: 'af', kind: 'manual', name: 'af', is_default: true })
})

test.each([
  ['the configured version', '99.88.77'],
  ['the version of the table', undefined],
])('sends %s of an app in requests and user agents', async (_, configured) => {
  // The version applies to the whole process, which other test files share.
  const before = { ...Constants.CLIENTS.IOS }
  closing.push(async () => void Object.assign(Constants.CLIENTS.IOS, before))
  const agents: (string | undefined)[] = []
  const watcher = createServer((request, response) => {
    agents.push(request.headers['user-agent'], String(request.headers['x-youtube-client-version']))
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await once(watcher, 'listening')
  closing.push(async () => void watcher.close())
  const origin = `http://127.0.0.1:${(watcher.address() as AddressInfo).port}`
  const clients = [{ name: 'IOS' as const, version: configured }]
  await expect(open({ origin, clients }).fetchVideo(V.manyTracks)).rejects.toBeDefined()
  const version = configured ?? selectVersions(clients).get('IOS')
  expect(version).toMatch(/^\d/)
  expect(agents.slice(-2)).toEqual([expect.stringContaining(`youtube/${version} `), version])
})

describe('the client WEB', () => {
  const startProvider = async (reply: object, status = 200) => {
    const asked: string[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      asked.push(`${request.url} ${body}`)
      response.writeHead(status).end(JSON.stringify(reply))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(async () => void server.close())
    return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  test('plays with a token, which also opens its gated captions', async () => {
    const { asked, origin } = await startProvider({ poToken: 'to-ken_1=' })
    const { fetchText } = open({ tokens: createHttpTokenProvider(origin) })
    expect(await fetchText(V.webOnly)).toContain(TEA)
    expect(asked).toEqual(Array(2).fill(`/get_pot {"content_binding":"${V.webOnly.id}"}`))
    expect(platform.requests.at(-1)).toMatchObject({ kind: 'timedtext', client: 'WEB' })
    expect(platform.requests.at(-1)?.url).toMatch(/[?&]pot=to-ken_1%3D&potc=1&/)
  })

  test.each([
    ['an error', { error: 'no' }, 500],
    ['no token', {}, 200],
    ['a malformed token', { poToken: 'a b\r\nc' }, 200],
  ])('is skipped when its token provider replies with %s', async (_, reply, status) => {
    const { origin } = await startProvider(reply, status)
    const { fetchVideo, attempts } = open({ tokens: createHttpTokenProvider(origin) })
    await expect(fetchVideo(V.webOnly)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    expect(attempts.at(-1)).toBe('direct WEB no_token')
  })
})

test('lists captions of dubbed audio and forced captions as such, and fetches them by their own address', async () => {
  const { fetchVideo, fetchText } = open()
  const rolesOf = async (video: SampleVideo) =>
    (await fetchVideo(video)).tracks.map(({ key, role }) => [key, role].filter(Boolean).join(' '))
  expect(await rolesOf(V.dubbed)).toEqual(['a.de-DE dub', 'a.fr-FR dub', 'a.en'])
  expect(await rolesOf(V.forced)).toEqual(['f.en forced', 'a.en'])
  expect((await fetchVideo(V.dubbed)).info.language).toBe('en')
  expect((await fetchVideo(V.forced)).info.available_tracks?.[0]).toMatchObject({ language: 'en', role: 'forced' })
  expect(await fetchText(V.forced, 'f.en')).not.toContain(TEA)
})

describe('comments', () => {
  const author = { author: 'Ana‮', text: 'So <b>good</b>​!', likes: 3, published: '2 days ago' }
  const video: SampleVideo = {
    ...V.manyTracks,
    id: 'sbtx-talked',
    comments: [
      author,
      { ...author, text: ' ' },
      ...Array.from({ length: 60 }, (_, n) => ({ ...author, text: `No. ${n}`, likes: 0 })),
    ],
  }

  test('are returned in the order of the platform, from several pages, cleaned', async () => {
    platform.addVideo(video)
    const comments = await open().fetchComments(video)
    expect(comments).toHaveLength(24)
    expect(comments[0]).toEqual({
      author: 'Ana',
      text: 'So <b>good</b>!',
      like_count: '3',
      published: '2 days ago',
      is_pinned: false,
      is_by_channel: false,
    })
    expect(comments[1]).toMatchObject({ text: 'No. 0', like_count: '' })
  })

  test('are empty for a video without any, and a block is reported', async () => {
    expect(await open().fetchComments(V.manyTracks)).toEqual([])
    platform.failNext({ kind: 'next', times: 9, outcome: { status: 429 } })
    await expect(open().fetchComments(V.manyTracks)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED' })
  })
})
