import { anyCharacter, anyWebUrl, fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { refuseVideoUrl } from './refuse-url.ts'
import { parseVideoUrl } from './video-url.ts'

const ID = 'dQw4w9WgXcQ'
const messageOf = (url: string): string => refuseVideoUrl('url', url).message

describe('refuseVideoUrl', () => {
  test.each([
    ['https://www.youtube.com/playlist?list=PLx', 'a playlist'],
    [`https://www.youtube.com/watch?v=${ID}&x=${'x'.repeat(2_048)}`, 'at most 2,048 characters'],
    [`https://www.youtube.com/watch?v=${ID}\u0000`, 'is not a URL'],
    [`https://www.youtube.com/watch?v=${ID}&x=\ud800`, 'is not a URL'],
    ['https://www.youtube.com/embed/videoseries?list=PLx', 'a playlist'],
    ['https://www.youtube.com/@channel12345', 'a channel'],
    ['youtube.com/channel/UCabcdefghijklmnopqrstuv', 'a channel'],
    ['https://m.youtube.com/c/name/videos', 'a channel'],
    ['@channel12345', 'the name of a channel'],
    ['https://www.youtube.com/embed/live_stream?channel=x', 'the live stream of a channel'],
    ['https://www.youtube.com/results?search_query=rivers', 'a search'],
    ['https://www.youtube.com/clip/UgkxAbc', 'a clip'],
    ['https://youtu.be/', 'the home page'],
    ['https://www.youtube.com', 'the home page'],
    ['https://www.youtube.com/about', 'a page of the platform that is not a video'],
    ['https://www.youtube.com/constructor', 'a page of the platform that is not a video'],
    [`https://www.youtube-nocookie.com/watch?v=${ID}`, 'a page of the platform that is not a video'],
    ['https://www.youtube.com/watch?list=PLx', 'without its ID'],
    ['https://youtu.be/dQw4w9WgXc', 'an invalid ID'],
    [`https://www.youtube.com/watch?v=${ID}x`, 'an invalid ID'],
    [`https://www.youtube.com/shorts/${ID}/x`, 'something else after its ID'],
    [`https://vimeo.com/watch?v=${ID}`, 'another site, `vimeo.com`'],
    [`https://youtube.com.evil.example/watch?v=${ID}`, '`youtube.com.evil.example`, which looks like'],
    [`https://y\u043Eutube.com/watch?v=${ID}`, 'plain letters'],
    [`https://xn--yutube-wqf.com/watch?v=${ID}`, '`xn--yutube-wqf.com`, which looks like'],
    [`https://studio.youtube.com/video/${ID}/edit`, '`studio.youtube.com`, which does not serve public videos'],
    [`https://user:pass@www.youtube.com/watch?v=${ID}`, 'a user name or a password'],
    [`user@youtube.com/watch?v=${ID}`, 'a user name or a password'],
    [`https://www.youtube.com:8443/watch?v=${ID}`, 'a port'],
    [`ftp://youtube.com/watch?v=${ID}`, 'an http or https URL'],
    [`https://youtu.be/${ID} https://youtu.be/${ID}`, 'a single URL'],
    ["javascript:alert('x')", 'not a URL'],
    ['rivers', 'not a URL'],
    ['videoseries', 'not a URL'],
    [`${ID}x`, 'not a URL'],
    ['', 'empty'],
  ])('says that %j is or contains %s, and lists the accepted forms', (url, kind) => {
    expect(parseVideoUrl(url)).toBeNull()
    expect(messageOf(url)).toMatch(/^`url` (?:is|must) /)
    expect(messageOf(url)).toContain(kind)
    for (const form of ['`https://www.youtube.com/watch?v=VIDEO_ID`', '`https://youtu.be/VIDEO_ID`', '/shorts/']) {
      expect(messageOf(url)).toContain(form)
    }
    expect(messageOf(url)).toContain('the ID alone')
  })

  test('never shows a password, or more of a host than can be read', () => {
    expect(messageOf('https://user:secret@evil.example/')).not.toContain('secret')
    expect(messageOf(`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`).length).toBeLessThan(500)
  })

  test('has one sentence about any text, with its place in the request', () => {
    fc.assert(
      fc.property(fc.oneof(anyWebUrl('http', 'https'), fc.string({ unit: anyCharacter, maxLength: 60 })), (text) => {
        if (parseVideoUrl(text) !== null) return
        const { code, status, message, details } = refuseVideoUrl('videos.3.url', text)
        expect([code, status]).toEqual(['INVALID_VIDEO_URL', 400])
        expect(message).toMatch(/^`videos\.3\.url` (?:is|must) /)
        expect(details).toEqual({ issues: [{ path: 'videos.3.url', message, code: 'invalid_video_url' }] })
      }),
      { numRuns: fuzzRuns() },
    )
  })
})
