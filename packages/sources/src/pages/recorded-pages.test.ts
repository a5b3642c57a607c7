import { readFeed } from '../read-feed.ts'
import { type ExpectedEntry, readSourceRecordings, type SourceRecording } from '../testing/recordings.ts'
import { type ListEntry, readEntry } from './read-entry.ts'
import { readPage } from './read-page.ts'
import { readResolvedChannel } from './read-resolved.ts'

const recordings = readSourceRecordings()
/** Jest refuses empty tables, even in tests that are skipped. */
const NONE: SourceRecording = { name: 'needs TEST_SOURCE_RECORDINGS', text: '{}', expected: {} }
const ofKind = (...kinds: string[]) =>
  (recordings.length > 0
    ? recordings.filter(({ name }) => kinds.some((kind) => name.startsWith(`${kind}/`)))
    : [NONE]
  ).map((one) => [one.name, one] as const)
const found = (name: string) => recordings.find((one) => one.name === name)

/** Returns the body of an answer: JSON, or the data within a page. */
const parseBody = (text: string): unknown => {
  if (!text.trimStart().startsWith('<')) return JSON.parse(text)
  const [, json = '{}'] = /ytInitialData(?:"\])?\s*=\s*(\{.*?\});?\s*(?:<\/script>|window\[)/s.exec(text) ?? []
  return JSON.parse(json)
}

/** The expected readings do not say when the entries of playlists were published. */
const describeEntry = (
  { id, kind, title, seconds, badges, published, wasLive }: ListEntry,
  expected?: ExpectedEntry,
) => ({
  id,
  kind,
  title,
  seconds,
  badges,
  published: expected?.published === undefined ? null : published,
  wasLive,
})
const describeExpected = ({ id, kind, title, seconds, badges, published, wasLive }: ExpectedEntry) => ({
  id,
  kind,
  title: title ?? null,
  seconds: seconds ?? null,
  badges: badges ?? [],
  published: published ?? null,
  wasLive: wasLive ?? false,
})

const testIfRecorded = recordings.length > 0 ? test : test.skip
const describeIfRecorded = recordings.length > 0 ? describe : describe.skip

testIfRecorded('has all recordings', () => {
  expect(recordings).toHaveLength(66)
})

describeIfRecorded.each(ofKind('playlist', 'channel', 'uploads', 'mix', 'html'))('%s', (_name, { text, expected }) => {
  const page = readPage(parseBody(text))

  test('has the right entries', () => {
    const { entries } = expected
    if (Array.isArray(entries))
      expect(page.entries.map((entry, index) => describeEntry(entry, entries[index]))).toEqual(
        entries.map(describeExpected),
      )
    else expect(page.entries).toHaveLength(entries ?? 0)
  })

  test('has the right continuation', () => {
    expect(page.next !== null).toBe(expected.reading?.continuation ?? false)
    if (expected.reading?.nextToken !== undefined) expect(page.next).toBe(expected.reading.nextToken)
  })

  test('has the right head', () => {
    const { reading = {} } = expected
    if (typeof reading.title === 'string') expect(page.title).toBe(reading.title)
    if (typeof reading.channelId === 'string') expect(page.channelId).toBe(reading.channelId)
    const [first] = Array.isArray(reading.stats) ? reading.stats : []
    if (typeof first === 'string') expect(`${page.total?.toLocaleString('en-US')} videos`).toBe(first)
    expect(page.isEndless).toBe(_name.startsWith('mix/'))
  })
})

testIfRecorded.each([
  ['playlist/huge_p1.json', 'playlist/huge_p2.json'],
  ['playlist/huge_p2.json', 'playlist/huge_p3_99.json'],
  ['playlist/pop200_p1.json', 'playlist/pop200_p2.json'],
  ['playlist/top150_2021_p1.json', 'playlist/top150_2021_p2.json'],
  ['channel/videos_lockup_p1.json', 'channel/videos_lockup_p2.json'],
  ['channel/videos_rich_p1.json', 'channel/videos_rich_p2.json'],
  ['channel/videos_grid_2021_p1.json', 'channel/videos_grid_2021_p2.json'],
])('%s leads to %s', (first, second) => {
  const [from, to] = [found(first), found(second)]
  expect(readPage(JSON.parse(from?.text ?? '')).next).toBe(to?.expected.request?.body?.continuation)
})

testIfRecorded.each(ofKind('entries'))('reads the single entry %s', (_name, { text, expected }) => {
  const entry = readEntry({ lockupViewModel: JSON.parse(text) })
  expect(entry).toMatchObject({
    id: expected.id,
    kind: expected.kind,
    title: expected.title,
    seconds: expected.seconds ?? null,
    badges: expected.badges ?? [],
  })
})

testIfRecorded.each(ofKind('channel_errors'))('%s has no list', (_name, { text, expected }) => {
  const page = readPage(JSON.parse(text))
  const { alerts } = expected.reading ?? {}
  expect([page.hasList, page.entries, page.next]).toEqual([false, [], null])
  if (Array.isArray(alerts))
    expect(page.errors).toEqual(alerts.map((alert) => (Array.isArray(alert) ? alert[1] : alert)))
  expect(page.status).toBe(expected.http === 400 ? 400 : null)
})

testIfRecorded('names the videos of a playlist that are private or deleted', () => {
  const recording = found('playlist/derived_course_unavailable.json')
  const page = readPage(JSON.parse(recording?.text ?? ''))
  const gone = page.entries.flatMap(({ gone }, index) => (gone ? [[String(index + 1), gone] as const] : []))
  expect(Object.fromEntries(gone)).toEqual(recording?.expected.unavailable)
})

testIfRecorded.each(ofKind('resolve'))('resolves %s', (_name, { text, expected }) => {
  const body = JSON.parse(text)
  const { reading = {} } = expected
  expect(readResolvedChannel(body)).toBe(reading.browseId ?? reading.resolvesTo ?? null)
  expect(readPage(body).redirect).toBe(reading.redirectTo ?? null)
  expect(readPage(body).status).toBe(expected.http === 404 ? 404 : null)
})

testIfRecorded.each(ofKind('feeds'))('reads the feed %s', (_name, { text, expected }) => {
  const feed = readFeed(text)
  const { reading = {} } = expected
  const items = Array.isArray(reading.items) ? reading.items : null
  if (items === null) return expect(feed?.entries ?? []).toEqual([])
  expect(feed?.title).toBe(reading.title)
  expect(feed?.channelId).toBe(items[0]?.channelId)
  expect(feed?.entries.map(({ videoId, title, publishedAt, url }) => ({ videoId, title, publishedAt, url }))).toEqual(
    items.map(({ id, title, published, link }) => ({
      videoId: id,
      title,
      publishedAt: new Date(published).toISOString(),
      url: link,
    })),
  )
})
