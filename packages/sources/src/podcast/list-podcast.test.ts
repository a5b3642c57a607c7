import { MAX_SOURCE_VIDEOS } from '@subtext/contracts'
import { listPodcast } from './list-podcast.ts'

const FEED = 'https://example.org/feed.xml'

interface Item {
  guid?: string
  url?: string
  date?: string
}

const buildPage = (items: Item[], next?: string): string => {
  const link = next === undefined ? '' : `<atom:link rel="next" href="${next}"/>`
  const list = items.map(
    ({ guid, url = `${guid}.mp3`, date }) =>
      `<item>${guid === undefined ? '' : `<guid>${guid}</guid>`}<enclosure url="${url}"/>${date === undefined ? '' : `<pubDate>${date}</pubDate>`}</item>`,
  )
  return `<rss><channel><title>Show</title>${link}${list.join('')}</channel></rss>`
}
const list = (pages: Record<string, string>, feed = FEED) =>
  listPodcast(feed, async (url) => {
    const body = pages[url]
    return body === undefined ? null : { url, body: Buffer.from(body), charset: null }
  })
const idsOf = async (items: Item[], feed = FEED) =>
  (await list({ [feed]: buildPage(items) }, feed)).episodes.map(({ videoId }) => videoId)

test('the ID of an episode comes from the feed and the guid, whatever becomes of its enclosure', async () => {
  const [before = ''] = await idsOf([{ guid: 'a', url: '1.mp3' }])
  expect(before).toMatch(/^pod-[A-Za-z0-9_-]{16}$/)
  expect(await idsOf([{ guid: 'a', url: '2.mp3' }])).toEqual([before])
  expect(await idsOf([{ guid: 'a' }], 'https://example.org/other.xml')).not.toEqual([before])
})

test('an episode without a guid is known by its enclosure', async () => {
  const [first, second] = await idsOf([{ url: '1.mp3' }, { url: '2.mp3' }])
  expect(await idsOf([{ url: '3.mp3' }, { url: '1.mp3' }])).toContain(first)
  expect(second).not.toBe(first)
})

test('an episode that stands twice counts once', async () => {
  expect(await idsOf([{ guid: 'a' }, { guid: 'a' }])).toHaveLength(1)
})

test('a guid that is used again gives the newer episode an ID of its own, and the older one keeps its ID', async () => {
  const [old] = await idsOf([{ guid: 'same', url: '1.mp3' }])
  const ids = await idsOf([
    { guid: 'same', url: '2.mp3' },
    { guid: 'same', url: '1.mp3' },
  ])
  expect(new Set(ids).size).toBe(2)
  expect(ids[1]).toBe(old)
})

test('the newest comes first, and an episode without a date stays behind the one before it', async () => {
  const { episodes } = await list({
    [FEED]: buildPage([
      { guid: 'old', date: 'Mon, 01 Jun 2026 08:00:00 GMT' },
      { guid: 'undated' },
      { guid: 'new', date: 'Tue, 02 Jun 2026 08:00:00 GMT' },
    ]),
  })
  expect(episodes.map(({ url }) => url.slice('https://example.org/'.length, -4))).toEqual(['new', 'old', 'undated'])
})

test('pages are read once each, and one that does not exist ends the list', async () => {
  const loop = await list({
    [FEED]: buildPage([{ guid: 'a' }], '/2.xml'),
    'https://example.org/2.xml': buildPage([{ guid: 'b' }], '/feed.xml'),
  })
  expect([loop.episodes.length, loop.truncated]).toEqual([2, false])
  const broken = await list({ [FEED]: buildPage([{ guid: 'a' }], '/gone.xml') })
  expect([broken.episodes.length, broken.truncated]).toEqual([1, true])
})

test('no more episodes are kept than of any source', async () => {
  const items = Array.from({ length: MAX_SOURCE_VIDEOS + 10 }, (_, nth) => ({ guid: `g${nth}` }))
  const { episodes, truncated } = await list({ [FEED]: buildPage(items) })
  expect([episodes.length, truncated]).toEqual([MAX_SOURCE_VIDEOS, true])
})
