import { type SampleVideo, TEA_TRACKS, UNKNOWN_VIDEO_ID } from '@subtext/sample-platform/protocol'
import { Innertube } from 'youtubei.js'
import { createPlatformClient, type LibraryClient, type Player, tracksOf } from '../testing/platform-client.ts'
import { SAMPLE_VIDEOS } from './catalogue.ts'
import { startVideoPlatform, type VideoPlatform } from './start-video-platform.ts'

let platform: VideoPlatform
let client: LibraryClient
beforeAll(async () => {
  platform = await startVideoPlatform()
  client = createPlatformClient(platform)
})
afterAll(() => platform.close())
beforeEach(() => platform.reset())

describe('sessions of an unmodified client', () => {
  test('gives each session its own visitor data with one request', async () => {
    const first = await client.createSession()
    const second = await client.createSession()
    expect(first.session.context.client.visitorData).toMatch(/^Cgtzb/)
    expect(first.session.context.client.visitorData).not.toBe(second.session.context.client.visitorData)
    expect(first.session.client_version).toBe('2.20260623.01.00')
    expect(platform.count({ kind: 'session', host: 'www.youtube.com' })).toBe(2)
    expect(platform.requests).toHaveLength(2)
  })

  test('serves the configuration', async () => {
    await Innertube.create({ fetch: client.fetch, retrieve_player: false, fail_fast: true })
    expect(platform.requests.map(({ kind, status }) => [kind, status])).toEqual([
      ['session', 200],
      ['config', 200],
    ])
  })

  test('returns a visitor ID on request', async () => {
    const response = await fetch(`${platform.origin}/youtubei/v1/visitor_id`, { method: 'POST', body: '{}' })
    const reply = (await response.json()) as { responseContext: { visitorData: string } }
    expect(reply.responseContext.visitorData).toMatch(/^Cgtzb/)
  })
})

describe('videos that play', () => {
  test('returns details and tracks in the raw reply', async () => {
    const player = await client.play(SAMPLE_VIDEOS.english)
    expect(player.playabilityStatus?.status).toBe('OK')
    expect(player.videoDetails).toMatchObject({
      videoId: 'sbtx-en-map',
      title: 'The Woman Who Drew the Ocean Floor',
      lengthSeconds: String(SAMPLE_VIDEOS.english.lengthSeconds),
      author: 'Subtext Sample Lectures',
      isLiveContent: false,
    })
    expect(tracksOf(player).map(({ vssId, languageCode, kind }) => [vssId, languageCode, kind])).toEqual([
      ['.en', 'en', undefined],
      ['a.en', 'en', 'asr'],
      ['.en-GB', 'en-GB', undefined],
      ['.de', 'de', undefined],
    ])
    expect(player.microformat).toBeUndefined()
    expect(player.captions?.playerCaptionsTracklistRenderer.audioTracks[0]?.defaultCaptionTrackIndex).toBe(0)
  })

  test('returns replies that the client library parses', async () => {
    const session = await client.createSession()
    const info = await session.getBasicInfo(SAMPLE_VIDEOS.spanish.id, { client: 'ANDROID' })
    expect(info.basic_info.title).toBe(SAMPLE_VIDEOS.spanish.title)
    expect(info.basic_info.duration).toBe(SAMPLE_VIDEOS.spanish.lengthSeconds)
    expect(info.captions?.caption_tracks?.map((track) => track.vss_id)).toEqual(['a.es', '.es'])
  })

  test('gives the web client the publication date and gates its captions', async () => {
    const player = await client.play(SAMPLE_VIDEOS.english, 'WEB')
    expect(player.microformat?.playerMicroformatRenderer.publishDate).toBe('2026-03-14T15:00:00-00:00')
    expect(tracksOf(player).every((track) => track.baseUrl.includes('exp=xpe'))).toBe(true)
    expect(await (await client.fetchTrack(tracksOf(player)[0], 'json3')).text()).toBe('')
  })

  test('plays videos through the reel route as well', async () => {
    const { actions } = await client.createSession()
    const reply = await actions.execute('/reel/reel_item_watch', {
      playerRequest: { videoId: SAMPLE_VIDEOS.playsInReelOnly.id, contentCheckOk: true },
      disablePlayerResponse: false,
      client: 'ANDROID',
    })
    const { playerResponse } = reply.data as unknown as { playerResponse: Player }
    expect(playerResponse.playabilityStatus?.status).toBe('OK')
    expect(tracksOf(playerResponse)).toHaveLength(2)
    expect((await client.play(SAMPLE_VIDEOS.playsInReelOnly)).playabilityStatus?.status).toBe('UNPLAYABLE')
    expect(platform.count({ kind: 'reel' })).toBe(1)
  })

  test('returns comments on two pages', async () => {
    const session = await client.createSession()
    const first = await session.getComments(SAMPLE_VIDEOS.english.id)
    expect(first.header?.comments_count.toString()).toBe('7')
    expect(first.contents.map((thread) => thread.comment?.author?.name)).toContain('@contourlines')
    expect(first.contents[0]?.comment?.content?.toString()).toMatch(/^I studied geology/)
    expect(first.contents[0]?.comment?.like_count).toBe('412')
    expect(first.has_continuation).toBe(true)
    const second = await first.getContinuation()
    expect(second.contents.map((thread) => thread.comment?.author?.name)).toEqual(['@drifter', '@new_here'])
    expect(second.has_continuation).toBe(false)
  })

  test('serves thumbnails in the sizes that a video has', async () => {
    const at = (id: string, name: string) => client.fetch(`https://i.ytimg.com/vi/${id}/${name}.jpg`)
    const large = await at(SAMPLE_VIDEOS.english.id, 'maxresdefault')
    const bytes = Buffer.from(await large.arrayBuffer())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1280, 720])
    expect((await at(SAMPLE_VIDEOS.hindi.id, 'maxresdefault')).status).toBe(404)
    expect((await at(SAMPLE_VIDEOS.hindi.id, 'hqdefault')).status).toBe(200)
    expect((await at(UNKNOWN_VIDEO_ID, 'default')).status).toBe(404)
  })
})

describe('captions', () => {
  test('returns captions in the format that the URL names first', async () => {
    const [manual, auto] = tracksOf(await client.play(SAMPLE_VIDEOS.english))
    expect(manual?.baseUrl).toMatch(/^https:\/\/www\.youtube\.com\/api\/timedtext\?.*&fmt=srv3$/)
    const appended = await client.fetch(`${manual?.baseUrl}&fmt=json3`)
    expect(await appended.text()).toMatch(/^<\?xml/)
    const json = (await (await client.fetchTrack(manual, 'json3')).json()) as { events: { segs: { utf8: string }[] }[] }
    expect(json.events).toHaveLength(49)
    expect(json.events[0]?.segs[0]?.utf8).toBe(
      'In 1950, we had better maps of the Moon than of the bottom of our own ocean.',
    )
    expect(await (await client.fetchTrack(auto, 'vtt')).text()).toMatch(/^WEBVTT\nKind: captions\nLanguage: en\n\n/)
    expect(await (await client.fetchTrack(auto, 'srv1')).text()).toMatch(/<transcript><text start="0.32"/)
  })

  test('refuses to machine-translate captions', async () => {
    const [manual] = tracksOf(await client.play(SAMPLE_VIDEOS.english))
    expect((await client.fetch(`${manual?.baseUrl}&tlang=fr`)).status).toBe(429)
  })

  test('replies with 404 for a track that does not exist', async () => {
    const [manual] = tracksOf(await client.play(SAMPLE_VIDEOS.english))
    expect((await client.fetch(manual?.baseUrl.replace('lang=en', 'lang=xx') ?? '')).status).toBe(404)
  })

  test('gates captions for one client or for all, or withholds them', async () => {
    const { gatedForAndroid, gatedForAll, captionsWithheld } = SAMPLE_VIDEOS
    const body = async (video: SampleVideo, as: string) =>
      (await client.fetchTrack(tracksOf(await client.play(video, as))[0], 'json3')).text()
    expect(await body(gatedForAndroid, 'ANDROID')).toBe('')
    expect(JSON.parse(await body(gatedForAndroid, 'VISIONOS'))).toHaveProperty('events')
    expect(await body(gatedForAll, 'IOS')).toBe('')
    expect(await body(captionsWithheld, 'IOS')).toBe('')
    expect(tracksOf(await client.play(captionsWithheld))[0]?.baseUrl).not.toContain('exp=')
    const gated = tracksOf(await client.play(gatedForAll))[0]
    expect(await (await client.fetch(`${gated?.baseUrl}&pot=token&potc=1`)).text()).not.toBe('')
  })

  test('counts caption requests by video, track and client', async () => {
    const player = await client.play(SAMPLE_VIDEOS.english, 'IOS')
    await client.fetchTrack(tracksOf(player)[1], 'json3')
    const videoId = SAMPLE_VIDEOS.english.id
    expect(platform.count({ kind: 'timedtext', videoId, track: 'a.en', client: 'IOS' })).toBe(1)
    expect(platform.count({ kind: 'timedtext', videoId, track: '.en' })).toBe(0)
    expect(platform.count({ kind: 'player', videoId, client: 'IOS' })).toBe(1)
    expect(platform.count({ kind: 'player', videoId, client: 'ANDROID' })).toBe(0)
  })
})

describe('controls for tests', () => {
  test('adds and replaces videos', async () => {
    platform.addVideo({ ...SAMPLE_VIDEOS.german, id: 'test-video1', title: 'Mine', tracks: TEA_TRACKS })
    const player = await client.play('test-video1')
    expect(player.videoDetails?.title).toBe('Mine')
    const first = await (await client.fetchTrack(tracksOf(player)[0], 'json3')).text()
    platform.addVideo({ ...SAMPLE_VIDEOS.german, id: 'test-video1', tracks: [{ ...TEA_TRACKS[0], cues: () => [] }] })
    expect(await (await client.fetchTrack(tracksOf(player)[0], 'json3')).text()).not.toBe(first)
    expect(() => platform.addVideo({ ...SAMPLE_VIDEOS.german, id: 'short' })).toThrow(RangeError)
  })

  test('fails as many matching requests as planned', async () => {
    const [track] = tracksOf(await client.play(SAMPLE_VIDEOS.english))
    const videoId = SAMPLE_VIDEOS.english.id
    platform.failNext({
      kind: 'timedtext',
      videoId,
      times: 2,
      outcome: { status: 429, headers: { 'retry-after': '7' } },
    })
    platform.failNext({ kind: 'timedtext', videoId, outcome: 'reset' })
    const limited = await client.fetchTrack(track, 'json3')
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    expect((await client.fetchTrack(track, 'json3')).status).toBe(429)
    await expect(client.fetchTrack(track, 'json3')).rejects.toThrow('fetch failed')
    expect((await client.fetchTrack(track, 'json3')).status).toBe(200)
    expect(platform.requests.filter(({ kind }) => kind === 'timedtext').map(({ status }) => status)).toEqual([
      429,
      429,
      null,
      200,
    ])
  })

  test('delays matching requests until it is reset', async () => {
    platform.delay({ kind: 'session', ms: 300 })
    const begun = performance.now()
    await client.createSession()
    expect(performance.now() - begun).toBeGreaterThan(250)
    platform.reset()
    expect(platform.requests).toHaveLength(0)
  })

  test('stops waiting for a request that does not arrive in time', async () => {
    await expect(platform.waitForRequest({ videoId: 'never-asked' }, 30)).rejects.toThrow('within 30 ms')
  })
})

test('refuses malformed requests with an error in the shape of the platform', async () => {
  const post = (path: string, body: string) => fetch(`${platform.origin}${path}`, { method: 'POST', body })
  for (const response of [
    await post('/youtubei/v1/player', '{"videoId":"sbtx-en-map"}'),
    await post('/youtubei/v1/player', '{"videoId":'),
    await post('/youtubei/v1/next', '{"continuation":"%"}'),
    await post('/youtubei/v1/next', '{"continuation":"AAAA"}'),
  ]) {
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
  }
  expect((await fetch(`${platform.origin}/watch?v=sbtx-en-map`)).status).toBe(404)
})
