import { anyCharacter, fuzzRuns } from '@subtext/runtime/testing'
import fc from 'fast-check'
import { canonicalVideoUrl, parseVideoUrl } from './video-url.ts'

const ID = 'dQw4w9WgXcQ'

describe('parseVideoUrl', () => {
  test.each([
    `https://www.youtube.com/watch?v=${ID}`,
    `http://www.youtube.com/watch?v=${ID}`,
    `https://youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/watch?v=${ID}`,
    `https://music.youtube.com/watch?v=${ID}&si=abc`,
    `www.youtube.com/watch?v=${ID}`,
    `youtube.com/watch?v=${ID}`,
    `HTTPS://WWW.YouTube.COM/watch?v=${ID}`,
    `https://www.youtube.com/watch/?v=${ID}`,
    `https://www.youtube.com/watch?list=PL1&index=2&v=${ID}&t=42s`,
    `https://www.youtube.com/watch?v=${ID}#t=10`,
    `https://www.youtube.com:443/watch?v=${ID}`,
    `  https://www.youtube.com/watch?v=${ID}\n`,
    `https://youtu.be/${ID}`,
    `https://youtu.be/${ID}?si=x&t=10`,
    `https://youtu.be/${ID}/`,
    `youtu.be/${ID}`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://m.youtube.com/shorts/${ID}?feature=share`,
    `https://www.youtube.com/embed/${ID}?start=5`,
    `https://www.youtube.com/live/${ID}?si=x`,
    `https://www.youtube.com/v/${ID}`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
    `youtube-nocookie.com/embed/${ID}/`,
    `https://www.youtube.com/e/${ID}`,
    `https://www.youtube.com/watch_popup?v=${ID}`,
    `https://youtu.be/watch?v=${ID}&feature=youtu.be`,
    `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${ID}%26feature%3Dshare`,
    `https://www.youtube.com/attribution_link?u=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Ffeature%3Dshare%26v%3D${ID}`,
    `youtube.com/attribution_link?u=/shorts/${ID}`,
    `https://www.youtube.com/watch?feature=x&amp;v=${ID}&amp;t=5`,
    `https://www.youtube.com/embed/${ID}?clip=UgkxAbCdEf&amp;clipt=EMv0CRik5gs`,
    `https://www.youtube.com/watch?v=${ID}&t=119#t=01:59.00`,
    ID,
    `  ${ID}\n`,
  ])('finds the ID in %j', (url) => {
    expect(parseVideoUrl(url)).toBe(ID)
    expect(parseVideoUrl(canonicalVideoUrl(ID))).toBe(ID)
  })

  test.each([['-_-_-_-_-_-'], ['00000000000'], ['___________']])('accepts the ID %s', (id) => {
    expect(parseVideoUrl(`https://youtu.be/${id}`)).toBe(id)
    expect(parseVideoUrl(id)).toBe(id)
  })

  test.each([
    ['an empty text', ''],
    ['white space', '   '],
    ['an ID that is too short', ID.slice(1)],
    ['an ID that is too long', `${ID}x`],
    ['an ID with a character that no ID has', `${ID.slice(1)}.`],
    ['a path that looks like an ID', 'videoseries'],
    ['a shared link to another site', `https://www.youtube.com/attribution_link?u=https://evil.example/watch?v=${ID}`],
    ['a shared link to another host', `https://www.youtube.com/attribution_link?u=//evil.example/watch?v=${ID}`],
    ['a shared link to a shared link', `https://www.youtube.com/attribution_link?u=/attribution_link?u=/watch?v=${ID}`],
    ['a shared link without a target', 'https://www.youtube.com/attribution_link?a=x'],
    ['another platform', `https://vimeo.com/watch?v=${ID}`],
    ['a look-alike domain', `https://youtube.com.evil.example/watch?v=${ID}`],
    ['a domain that ends in the name', `https://notyoutube.com/watch?v=${ID}`],
    ['another top-level domain', `https://youtube.co/watch?v=${ID}`],
    ['the platform as a subdomain', `https://evil.youtube.com.example/watch?v=${ID}`],
    ['an unknown subdomain', `https://studio.youtube.com/watch?v=${ID}`],
    ['the platform in the path', `https://evil.example/youtube.com/watch?v=${ID}`],
    ['the platform in the query', `https://evil.example/?u=https://youtube.com/watch?v=${ID}`],
    ['the platform in the fragment', `https://evil.example/#https://youtube.com/watch?v=${ID}`],
    ['a Cyrillic letter', `https://y\u043Eutube.com/watch?v=${ID}`],
    ['punycode', `https://xn--yutube-wqf.com/watch?v=${ID}`],
    ['a dotless i', `https://youtube.com\u0131/watch?v=${ID}`],
    ['a user before the host', `https://youtube.com@evil.example/watch?v=${ID}`],
    ['credentials', `https://user:pass@www.youtube.com/watch?v=${ID}`],
    ['a user', `https://user@youtu.be/${ID}`],
    ['a user without a scheme', `user@youtube.com/watch?v=${ID}`],
    ['empty credentials', `https://:@www.youtube.com/watch?v=${ID}`],
    ['a full-width letter', `https://\uFF59outube.com/watch?v=${ID}`],
    ['an encoded letter', `https://%79outube.com/watch?v=${ID}`],
    ['an encoded at sign', `https://youtube.com%40evil.example/watch?v=${ID}`],
    ['another port', `https://www.youtube.com:8443/watch?v=${ID}`],
    ['the port of another scheme', `https://www.youtube.com:80/watch?v=${ID}`],
    ['a backslash', `https://evil.example\\@youtube.com/watch?v=${ID}`],
    ['backslashes for slashes', `https:\\\\youtube.com\\watch?v=${ID}`],
    ['a line break within', `https://you\ntube.com/watch?v=${ID}`],
    ['a tab within', `https://youtube.com/wat\tch?v=${ID}`],
    ['a space within', `https://youtube.com/watch?v=${ID} x`],
    ['another scheme', `ftp://youtube.com/watch?v=${ID}`],
    ['a file URL', `file://youtube.com/watch?v=${ID}`],
    ['a script URL', `javascript:alert('${ID}')`],
    ['a data URL', `data:text/html,https://youtube.com/watch?v=${ID}`],
    ['a short id', 'https://youtu.be/dQw4w9WgXc'],
    ['a long id', `https://youtu.be/${ID}x`],
    ['a character that no id contains', 'https://youtu.be/dQw4w9WgXc!'],
    ['a letter of another script', 'https://youtu.be/dQw4w9WgXc\u0430'],
    ['an empty id', 'https://www.youtube.com/watch?v='],
    ['no id', 'https://www.youtube.com/watch'],
    ['another parameter', `https://www.youtube.com/watch?w=${ID}`],
    ['a path after the ID', `https://youtu.be/${ID}/x`],
    ['a path after the ID of a short', `https://www.youtube.com/shorts/${ID}/x`],
    ['a path after watch', `https://www.youtube.com/watch/x?v=${ID}`],
    ['a path form on the short host', `https://youtu.be/shorts/${ID}`],
    ['a path after the pop-up', `https://www.youtube.com/watch_popup/x?v=${ID}`],
    ['the short host without an ID', 'https://youtu.be/watch'],
    ['a shared link to credentials', `https://www.youtube.com/attribution_link?u=https://x@youtu.be/${ID}`],
    ['a shared link on the short host', `https://youtu.be/attribution_link?u=/watch?v=${ID}`],
    ['watch on the no-cookie host', `https://www.youtube-nocookie.com/watch?v=${ID}`],
    ['a playlist', 'https://www.youtube.com/playlist?list=PLx'],
    ['a channel', 'https://www.youtube.com/@channel12345'],
    ['an unknown path', `https://www.youtube.com/video/${ID}`],
    ['an IP address', `https://142.250.1.1/watch?v=${ID}`],
    ['a redirect of the platform', `https://www.youtube.com/redirect?q=https://youtu.be/${ID}`],
    ['two addresses separated by a comma', `https://youtu.be/${ID},https://youtu.be/${ID}`],
  ])('refuses %s', (_, url) => {
    expect(parseVideoUrl(url)).toBeNull()
  })

  test('finds either nothing or an ID that is part of the text, in any text', () => {
    const junk = fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.constantFrom('@', ':', '/', '\\', '#', '?', '&', '%', '.', ' ', '//', 'v=', 'evil.example', 'user:pass@', ID),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
    )
    const place = fc.constantFrom(
      'youtu.be/',
      'youtube.com/watch?v=',
      'www.youtube.com/shorts/',
      'm.youtube.com/embed/',
    )
    const id = fc.oneof(fc.constant(ID), fc.string({ minLength: 10, maxLength: 12 }))
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      fc
        .tuple(junk, fc.constantFrom('https://', 'http://', '', '//'), junk, place, junk, id, junk)
        .map((all) => all.join('')),
    )
    let found = 0
    fc.assert(
      fc.property(text, (input) => {
        const videoId = parseVideoUrl(input)
        if (videoId === null) return
        found++
        expect(videoId).toMatch(/^[\w-]{11}$/)
        expect(input).toContain(videoId)
      }),
      { numRuns: fuzzRuns(), seed: 20_261_121 },
    )
    expect(found).toBeGreaterThan(fuzzRuns() / 50)
  })
})
