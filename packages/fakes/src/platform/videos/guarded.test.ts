import { type SampleVideo, UNKNOWN_VIDEO_ID } from '@subtext/sample-platform/protocol'
import type { Innertube } from 'youtubei.js'
import { createPlatformClient, type LibraryClient, tracksOf } from '../../testing/platform-client.ts'
import { SAMPLE_VIDEOS } from '../catalogue.ts'
import { startVideoPlatform, type VideoPlatform } from '../start-video-platform.ts'

let platform: VideoPlatform
let client: LibraryClient
beforeAll(async () => {
  platform = await startVideoPlatform()
  client = createPlatformClient(platform)
})
afterAll(() => platform.close())
beforeEach(() => platform.reset())

describe('unavailable videos', () => {
  const {
    private: hidden,
    removed,
    terminated,
    ageRestricted,
    membersOnly,
    paid,
    geoBlocked,
    liveNow,
    upcomingLive,
    upcomingPremiere,
    endedLive,
    noCaptions,
    emptyCaptions,
    botCheckAlways,
  } = SAMPLE_VIDEOS
  test.each<[SampleVideo | string, string, RegExp]>([
    [UNKNOWN_VIDEO_ID, 'ERROR', /^This video is unavailable$/],
    [hidden, 'LOGIN_REQUIRED', /private/],
    [removed, 'ERROR', /removed by the uploader/],
    [terminated, 'ERROR', /account .* terminated/],
    [ageRestricted, 'LOGIN_REQUIRED', /inappropriate/],
    [membersOnly, 'UNPLAYABLE', /Join this channel/],
    [paid, 'UNPLAYABLE', /payment/],
    [geoBlocked, 'UNPLAYABLE', /in your country/],
    [upcomingLive, 'LIVE_STREAM_OFFLINE', /will begin in/],
    [upcomingPremiere, 'LIVE_STREAM_OFFLINE', /Premieres/],
    [endedLive, 'OK', /has ended/],
    [botCheckAlways, 'LOGIN_REQUIRED', /not a bot/],
  ])('gives status and reason without captions (case %#)', async (video, status, reason) => {
    const player = await client.play(video)
    expect(player.playabilityStatus?.status).toBe(status)
    expect(player.playabilityStatus?.reason).toMatch(reason)
    expect(player.captions).toBeUndefined()
  })

  test('returns the details that distinguish unavailable videos', async () => {
    expect((await client.play(hidden, 'WEB')).playabilityStatus).not.toHaveProperty('reason')
    expect((await client.play(hidden, 'WEB')).playabilityStatus?.messages).toHaveLength(1)
    expect((await client.play(ageRestricted)).playabilityStatus?.desktopLegacyAgeGateReason).toBe(1)
    expect((await client.play(liveNow)).videoDetails).toMatchObject({ isLive: true, lengthSeconds: '0' })
    expect((await client.play(upcomingLive)).videoDetails).toMatchObject({ isUpcoming: true })
    expect((await client.play(endedLive)).videoDetails).toMatchObject({ isPostLiveDvr: true })
    expect((await client.play(noCaptions)).captions).toBeUndefined()
    expect((await client.play(emptyCaptions)).captions).toBeDefined()
    expect(tracksOf(await client.play(emptyCaptions))).toEqual([])
  })

  test('returns an empty object on the reel route for an unknown video', async () => {
    const { actions } = await client.createSession()
    const playerRequest = { videoId: UNKNOWN_VIDEO_ID }
    expect((await actions.execute('/reel/reel_item_watch', { playerRequest, client: 'ANDROID' })).data).toEqual({})
  })
})

describe('guarded videos', () => {
  const statusOf = async (video: SampleVideo, session: Innertube, as = 'ANDROID') =>
    (await client.play(video, as, session)).playabilityStatus?.status

  test('shows the bot check at first, depending on the video, the session, or the age of the session', async () => {
    const [one, two] = [await client.createSession(), await client.createSession()]
    const { botCheckAtFirst, botCheckFirstSession, botCheckYoungSession } = SAMPLE_VIDEOS
    expect(await statusOf(botCheckAtFirst, one)).toBe('LOGIN_REQUIRED')
    expect(await statusOf(botCheckAtFirst, two)).toBe('LOGIN_REQUIRED')
    expect(await statusOf(botCheckAtFirst, one)).toBe('OK')
    expect(await statusOf(botCheckFirstSession, one)).toBe('LOGIN_REQUIRED')
    expect(await statusOf(botCheckFirstSession, two)).toBe('OK')
    expect(await statusOf(botCheckFirstSession, one)).toBe('LOGIN_REQUIRED')
    expect(await statusOf(botCheckYoungSession, two)).toBe('LOGIN_REQUIRED')
    expect(await statusOf(botCheckYoungSession, two)).toBe('OK')
  })

  test('refuses one client, or gives it another video', async () => {
    const { refusesAndroid, decoyForAndroid } = SAMPLE_VIDEOS
    const session = await client.createSession()
    expect(await statusOf(refusesAndroid, session)).toBe('UNPLAYABLE')
    expect(await statusOf(refusesAndroid, session, 'VISIONOS')).toBe('OK')
    expect((await client.play(decoyForAndroid)).videoDetails?.videoId).toBe(SAMPLE_VIDEOS.english.id)
    expect((await client.play(decoyForAndroid, 'IOS')).videoDetails?.videoId).toBe(decoyForAndroid.id)
  })

  test('replies with something other than valid JSON', async () => {
    await expect(client.play(SAMPLE_VIDEOS.captchaAlways)).rejects.toMatchObject({
      message: expect.stringContaining('status code 429'),
      info: expect.stringContaining('g-recaptcha'),
    })
    await expect(client.play(SAMPLE_VIDEOS.serverErrorAlways)).rejects.toThrow('status code 503')
    await expect(client.play(SAMPLE_VIDEOS.truncatedJson)).rejects.toMatchObject({ name: 'SyntaxError' })
  })

  test('never answers requests for a hanging video, until it is closed', async () => {
    const own = await startVideoPlatform()
    const body = JSON.stringify({ videoId: SAMPLE_VIDEOS.hangs.id, context: { client: { clientName: 'ANDROID' } } })
    const pending = fetch(`${own.origin}/youtubei/v1/player`, { method: 'POST', body })
    const failed = expect(pending).rejects.toThrow()
    expect((await own.waitForRequest({ kind: 'player' }, 120_000)).status).toBeNull()
    await own.close()
    await failed
  })
})
