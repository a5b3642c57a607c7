import { isSampleFeed, isSourceUrl, parseSourceUrl, sourceUrlOf } from './source-url.ts'

const CHANNEL = 'UC0123456789abcdefABCDEF'
const PLAYLIST = 'PL0123456789abcdef'

test.each([
  [`https://www.youtube.com/playlist?list=${PLAYLIST}`, 'playlist', PLAYLIST],
  [`  youtube.com/watch?v=dQw4w9WgXcQ&amp;list=${PLAYLIST}&index=2 `, 'playlist', PLAYLIST],
  [`https://youtu.be/dQw4w9WgXcQ?list=${PLAYLIST}`, 'playlist', PLAYLIST],
  [PLAYLIST, 'playlist', PLAYLIST],
  [`https://www.youtube.com/channel/${CHANNEL}`, 'channel', CHANNEL],
  [`https://m.youtube.com/channel/${CHANNEL}/streams/`, 'channel', CHANNEL],
  [CHANNEL, 'channel', CHANNEL],
  ['https://www.youtube.com/@Some.Handle/videos?view=0', 'name', '@Some.Handle'],
  ['https://www.youtube.com/@%E3%81%82%E3%81%84', 'name', '@あい'],
  ['@handle', 'name', '@handle'],
  ['https://www.youtube.com/c/Some%20thing', null, null],
  ['https://www.youtube.com/c/JeffGeerling/shorts', 'name', 'c/JeffGeerling'],
  ['http://www.youtube.com/user/NBCNews', 'name', 'user/NBCNews'],
  [`https://www.youtube.com/channel/${CHANNEL}/nonsense`, null, null],
  [`https://www.youtube.com:8080/channel/${CHANNEL}`, null, null],
  ['www.youtube.com.example.org/@handle', null, null],
  ['ftp://youtube.com/@handle', null, null],
  ['https://www.youtube.com/channel/UCshort', null, null],
  ['https://www.youtube.com/playlist?list=../../x', null, null],
  ['RDCLAK5uy_kmPRjHDECIcuVwnKsx2Ng7fyNgFKWNJFs', null, null],
])('reads %j as a source', (url, kind, id) => {
  expect(isSourceUrl(url)).toBe(kind !== null)
  if (kind === null) expect(() => parseSourceUrl(url)).toThrow(/^`url` is/)
  else expect(parseSourceUrl(url)).toEqual({ kind, id })
})

test.each([
  [{ kind: 'playlist', id: PLAYLIST }],
  [{ kind: 'channel', id: CHANNEL }],
  [{ kind: 'name', id: '@あい' }],
  [{ kind: 'name', id: 'c/Name' }],
] as const)('names an address from which %j is read again', (source) => {
  expect(parseSourceUrl(sourceUrlOf(source, 'https://subtext.example.org'))).toEqual(source)
})

test.each([
  ['https://www.youtube.com.example.org/@handle', 'https://www.youtube.com.example.org/@handle'],
  [' https://Feeds.example.org:8443/show?id=1#top ', 'https://feeds.example.org:8443/show?id=1'],
  ['http://example.org/a&amp;b', 'http://example.org/a&amp;b'],
  ['example.org/feed.xml', null],
  ['ftp://example.org/feed.xml', null],
  [`https://example.org/${'x'.repeat(2_048)}`, null],
])('reads %j as the feed of a podcast', (url, id) => {
  // It is no source by its address alone.
  expect(isSourceUrl(url)).toBe(false)
  if (id === null) expect(() => parseSourceUrl(url)).toThrow(/^`url` is/)
  else expect(parseSourceUrl(url)).toEqual({ kind: 'podcast', id })
})

test.each([
  ['/samples/podcast.xml', true],
  ['https://subtext.example.org/samples/podcast.xml', true],
  ['http://127.0.0.1:3000/samples/podcast.xml', true],
  ['https://other.example.org/samples/podcast.xml', false],
  ['https://subtext.example.org/samples/other.xml', false],
])('says whether %s is the sample feed', (url, isSample) => {
  expect(isSampleFeed(url, 'https://subtext.example.org')).toBe(isSample)
})
