import { selectDecoder } from './decode-feed.ts'
import { readPodcastFeed } from './read-podcast-feed.ts'

const BASE = 'https://example.org/show/feed.xml'
const read = (feed: string | Buffer, charset: string | null = null) => {
  const body = Buffer.from(feed as string)
  return readPodcastFeed({ body, decoder: selectDecoder(body, charset), base: BASE })
}
const rss = (content: string, attributes = ''): string =>
  `<?xml version="1.0"?><rss version="2.0" ${attributes}><channel><title>Show</title>${content}</channel></rss>`
const EPISODE = '<item><title>One</title><enclosure url="1.mp3"/></item>'

describe('an item', () => {
  test('is an episode with its addresses, which may be relative, its time and its length', async () => {
    const feed = await read(
      rss(`<language>en-us</language><item><title> One &amp; <![CDATA[two]]> </title><guid>g1</guid>
        <description>&lt;p&gt;About it.&lt;/p&gt;</description><link>/1</link>
        <pubDate>Tue, 27 Dec 2005 13:30:33+0900</pubDate><itunes:duration>1:02:03</itunes:duration>
        <enclosure url=" ../a/1.mp3 " type="audio/mpeg"/><media:content><title>Other</title></media:content></item>`),
    )
    expect(feed).toMatchObject({ title: 'Show', language: 'en-us', next: null })
    expect(feed.episodes).toEqual([
      {
        guid: 'g1',
        title: 'One & two',
        description: 'About it.',
        enclosure: 'https://example.org/a/1.mp3',
        link: 'https://example.org/1',
        publishedAt: '2005-12-27T04:30:33.000Z',
        durationSeconds: 3_723,
        transcripts: [],
      },
    ])
  })

  test('without an enclosure or a transcript is no episode', async () => {
    const feed = await read(
      rss(
        '<item><title>Post</title></item><item><enclosure url="javascript:alert(1)"/></item><item><podcast:transcript url="t.vtt"/></item>',
      ),
    )
    expect(feed.episodes).toMatchObject([{ enclosure: null, transcripts: [{ url: 'https://example.org/show/t.vtt' }] }])
  })

  test('has its transcripts in the order of their formats, by their types or names, and captions first', async () => {
    const { episodes } = await read(
      rss(`<item><podcast:transcript url="a" type="text/html"/><podcast:transcript url="b.json"/>
        <podcast:transcript url="c" type="application/x-subrip"/><podcast:transcript url="d.txt" type="TEXT/VTT; charset=utf-8"/>
        <podcast:transcript url="e.vtt" type="text/plain" rel="captions" language="de"/><podcast:transcript url="f.pdf" type="application/pdf"/>
        <podcast:transcript url="g.txt" type="text/plain"/></item>`),
    )
    expect(episodes[0]?.transcripts.map(({ url }) => url.at(-1) === 'f' || new URL(url).pathname.slice(6))).toEqual([
      'e.vtt',
      'd.txt',
      'c',
      'b.json',
      'a',
      'g.txt',
    ])
  })
})

test.each([
  [
    'declares another prefix',
    rss('<item><p:transcript url="t.vtt"/></item>', 'xmlns:p="https://podcastindex.org/namespace/1.0"'),
  ],
  ['declares no prefix', rss('<item><podcast:transcript url="t.vtt"/></item>')],
  [
    'is of Atom',
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:podcast="x"><entry><id>1</id><link rel="enclosure" href="1.mp3"/></entry></feed>',
  ],
  [
    'is of RDF',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel/><item><enclosure url="1.mp3"/></item></rdf:RDF>',
  ],
  ['has entities of HTML', rss(`${EPISODE}<description>a&nbsp;b</description>`)],
  ['begins with blank lines', `\n\n  ${rss(EPISODE)}`],
])('reads a feed that %s', async (_, feed) => {
  expect((await read(feed)).episodes).toHaveLength(1)
})

test.each([
  ['a web page', '<!doctype html><html><body>Hello</body></html>'],
  ['a text', 'Not found'],
  ['nothing', ''],
  [
    'a DTD with entities',
    `<!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>${rss('<item><title>&b;</title></item>')}`,
  ],
  ['a DTD with a file', `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss('&x;')}`],
  ['a feed that broke off', rss(EPISODE).slice(0, -30)],
  ['elements that are not nested', '<rss><channel><item></channel></item></rss>'],
  ['an encoding that does not exist', '<?xml version="1.0" encoding="bogus"?><rss><channel/></rss>'],
  ['elements that are nested too deeply', `<rss>${'<a>'.repeat(300)}`],
])('refuses %s', async (_, feed) => {
  await expect((async () => read(feed))()).rejects.toMatchObject({ reason: 'not_a_feed' })
})

test.each([
  ['its mark', Buffer.from(`\uFEFF${rss('<item><title>Ñandú</title><enclosure url="1"/></item>')}`, 'utf16le'), null],
  [
    'its declaration',
    Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><item><title>Ñandú</title><enclosure url="1"/></item></channel></rss>',
      'latin1',
    ),
    'utf-8',
  ],
  ['its server', Buffer.from(rss('<item><title>Ñandú</title><enclosure url="1"/></item>'), 'latin1'), 'iso-8859-1'],
])('takes the encoding from %s', async (_, feed, charset) => {
  expect((await read(feed, charset)).episodes[0]?.title).toBe('Ñandú')
})

test('leaves out characters that were lost', async () => {
  expect((await read(rss('<item><title>Espa\uFFFDa</title><enclosure url="1"/></item>'))).episodes[0]?.title).toBe(
    'Espaa',
  )
})

test('names the next page, and none of other links', async () => {
  const scoped = `<link xmlns="http://www.w3.org/2005/Atom" rel="next" href="2.xml"/>${EPISODE}`
  expect(await read(rss(scoped))).toMatchObject({
    next: 'https://example.org/show/2.xml',
    episodes: [{ title: 'One' }],
  })
  const links = '<atom:link rel="first" href="1"/><atom:link rel="next" href="?page=2"/>'
  expect((await read(rss(links))).next).toBe('https://example.org/show/feed.xml?page=2')
})
