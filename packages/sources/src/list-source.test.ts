import { type SampleChannel, type SampleListEntry, startVideoPlatform, type VideoPlatform } from '@subtext/fakes'
import { createYoutubeSource } from '@subtext/youtube'
import { listSource, type SourceAddress } from './list-source.ts'
import { SourceGoneError, SourceMovedError } from './listing.ts'
import { resolveChannel } from './resolve-channel.ts'

let platform: VideoPlatform

beforeAll(async () => {
  platform = await startVideoPlatform()
})
afterAll(() => platform.close())
beforeEach(() => platform.reset())

const NOW = new Date()
const { signal } = new AbortController()
const openPages = () => createYoutubeSource({ origin: platform.origin, proxyUrls: [], requestTimeoutMs: 60_000 }).pages
const list = (address: SourceAddress) => {
  const pages = openPages()
  return listSource(address, (fields) => pages.browse(address.id, fields, signal), NOW)
}

const entry = (index: number, fields: Partial<SampleListEntry> = {}): SampleListEntry => ({
  id: `v${String(index).padStart(10, '0')}`,
  title: `Video ${index}`,
  seconds: 60 + index,
  published: new Date(NOW.getTime() - index * 3_600_000).toISOString(),
  ...fields,
})
const many = (count: number) => Array.from({ length: count }, (_, index) => entry(index))
const playlist = (id: string, entries: SampleListEntry[]) => {
  platform.addPlaylist({ id, title: 'A list', owner: 'Somebody', entries })
  return { kind: 'playlist', id } as const
}
let channels = 0
const channel = (fields: Partial<SampleChannel>) => {
  channels++
  const id = `UC${String(channels).padStart(22, 'c')}`
  platform.addChannel({ id, name: 'A channel', names: [`@channel${channels}`], entries: [], ...fields })
  return { kind: 'channel', id } as const
}

describe('a playlist', () => {
  test('is listed in its order, each video once, with the reasons of those that cannot be processed', async () => {
    const { title, videos, truncated } = await list(
      playlist('PLsmall00000', [
        entry(1),
        entry(2, { gone: 'private' }),
        entry(3, { gone: 'deleted' }),
        entry(1),
        entry(4, { forMembers: true }),
        entry(5, { kind: 'upcoming' }),
        entry(6, { kind: 'live' }),
        entry(7, { kind: 'stream' }),
      ]),
    )
    expect([title, truncated]).toEqual(['A list', false])
    expect(videos.map(({ videoId, reason }) => [Number(videoId.slice(1)), reason])).toEqual([
      [1, null],
      [2, 'private'],
      [3, 'deleted'],
      [4, 'members_only'],
      [5, 'not_started'],
      [6, 'live'],
      [7, null],
    ])
    expect(new Set(videos.map(({ type }) => type))).toEqual(new Set(['video']))
    expect(videos[0]).toMatchObject({ title: 'Video 1', durationSeconds: 61 })
    expect(Math.abs(Date.parse(videos[0]?.publishedAt ?? '') - NOW.getTime() + 3_600_000)).toBeLessThan(60_000)
  })

  test('of five thousand videos is listed whole in at most 52 requests', async () => {
    const { videos, truncated } = await list(playlist('PLlarge00000', many(5_000)))
    expect([videos.length, truncated]).toEqual([5_000, false])
    expect(new Set(videos.map(({ videoId }) => videoId)).size).toBe(5_000)
    expect(platform.count({ kind: 'browse' })).toBeLessThanOrEqual(52)
  })

  test('with more videos is truncated', async () => {
    const { videos, truncated } = await list(playlist('PLlarger0000', many(5_101)))
    expect([videos.length, truncated]).toEqual([5_000, true])
    expect(platform.count({ kind: 'browse' })).toBeLessThanOrEqual(52)
  })

  test('that breaks off is not listed', async () => {
    const address = playlist('PLbroken0000', many(350))
    const pages = openPages()
    let requests = 0
    const browse = async (fields: Record<string, unknown>) => {
      requests++
      return requests === 3 ? { body: { responseContext: {} }, bytes: 2 } : pages.browse(address.id, fields, signal)
    }
    await expect(listSource(address, browse, NOW)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  })

  test('is not found, or private, as the platform says', async () => {
    await expect(list({ kind: 'playlist', id: 'PLunknown000' })).rejects.toMatchObject({ reason: 'not_found' })
    platform.addPlaylist({
      id: 'PLprivate000',
      title: '',
      owner: '',
      entries: [],
      alert: 'This playlist is private.',
    })
    await expect(list({ kind: 'playlist', id: 'PLprivate000' })).rejects.toMatchObject({ reason: 'private' })
  })

  test('without videos is listed', async () => {
    expect((await list(playlist('PLempty00000', []))).videos).toEqual([])
  })
})

describe('a channel', () => {
  const uploads = [
    entry(1),
    entry(2, { kind: 'short' }),
    entry(3, { kind: 'stream' }),
    entry(4, { kind: 'upcoming' }),
    entry(5),
  ]
  const TYPES = ['video', 'short', 'live', 'live', 'video']

  test('is listed in the order of its uploads, each with its type', async () => {
    const { title, videos } = await list(channel({ entries: uploads }))
    expect(title).toBe('A channel')
    expect(videos.map(({ videoId }) => videoId)).toEqual(uploads.map(({ id }) => id))
    expect(videos.map(({ type }) => type)).toEqual(TYPES)
    expect(videos[3]?.reason).toBe('not_started')
  })

  test('shows streams to come that its list of all uploads leaves out as the newest', async () => {
    const address = channel({ entries: uploads })
    const pages = openPages()
    const without = ({ id }: SampleListEntry) => id !== uploads[3]?.id
    const browse = async (fields: Record<string, unknown>) => {
      const isAll = fields.browseId === `VLUU${address.id.slice(2)}`
      platform.addChannel({
        id: address.id,
        name: 'A channel',
        names: [],
        entries: isAll ? uploads.filter(without) : uploads,
      })
      return pages.browse(address.id, fields, signal)
    }
    const { videos } = await listSource(address, browse, NOW)
    expect(videos[0]).toMatchObject({ videoId: uploads[3]?.id, type: 'live', reason: 'not_started' })
    expect(videos).toHaveLength(uploads.length)
  })

  test('with five thousand uploads needs at most 52 requests', async () => {
    const { videos } = await list(channel({ entries: [...many(4_999), entry(5_000, { kind: 'short' })] }))
    expect(videos).toHaveLength(5_000)
    expect(platform.count({ kind: 'browse' })).toBeLessThanOrEqual(52)
  })

  test('with an age gate is listed by its uploads', async () => {
    expect((await list(channel({ entries: uploads, isAgeGated: true }))).videos).toHaveLength(5)
  })

  test('without lists is listed by its tabs', async () => {
    const { videos } = await list(channel({ entries: uploads, hasLists: false }))
    expect(videos.map(({ videoId }) => videoId).sort()).toEqual(uploads.map(({ id }) => id).sort())
  })

  test('without videos is listed', async () => {
    expect(await list(channel({}))).toEqual({ title: 'A channel', truncated: false, videos: [] })
  })

  test.each([
    ['This channel does not exist.', 'not_found'],
    ["This account has been terminated for a violation of YouTube's Terms of Service.", 'terminated'],
    ['This account has been suspended.', 'terminated'],
  ])('of which the platform says %p is %s', async (alert, reason) => {
    await expect(list(channel({ alert }))).rejects.toThrow(new SourceGoneError(reason as 'not_found').message)
  })

  test('that has moved leads to the other one', async () => {
    const { id } = channel({ entries: uploads })
    await expect(list(channel({ movedTo: id }))).rejects.toEqual(new SourceMovedError(id))
  })

  test('is found by its names', async () => {
    const { id } = channel({ names: ['@Naïve.Häns', 'c/Somebody', 'user/somebody'] })
    const { resolve } = openPages()
    for (const name of ['@naïve.häns', 'c/Somebody', 'user/somebody']) {
      expect(await resolveChannel(name, (url) => resolve(url, signal))).toBe(id)
    }
    await expect(resolveChannel('@nobody', (url) => resolve(url, signal))).rejects.toMatchObject({
      reason: 'not_found',
    })
  })
})

test('hostile titles arrive on one line, without characters that hide words or that the database refuses', async () => {
  const title = 'One\u0000 \u202Etwo\nthree'
  platform.addPlaylist({ id: 'PLhostile', title, owner: 'Somebody', entries: [entry(1, { title })] })
  const listed = await list({ kind: 'playlist', id: 'PLhostile' })
  expect(listed).toMatchObject({ title: 'One two three', videos: [{ title: 'One two three' }] })
})
