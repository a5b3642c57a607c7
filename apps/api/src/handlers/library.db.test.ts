import { removeFromLibrary } from '@subtext/core/library'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { highlightedIn, newVideoId, useTestLibrary } from '../testing/library.ts'

const api = useTestApi()
const { get, search, find, say } = useTestLibrary(api)

describe('a search for words', () => {
  let key: string
  let harbor: string
  let anchor: string
  beforeAll(async () => {
    key = await api.createKey()
    harbor = await say(key, ['We mapped the harbor', 'and the ships.', 'Nothing more.'])
    anchor = await say(key, ['The anchor of a ship', 'in the Harbors'])
  })

  test.each([
    ['harbor', ['harbor', 'anchor']],
    ['HARBORS', ['harbor', 'anchor']],
    ['ｈａｒｂｏｒ', ['harbor', 'anchor']],
    ['mapping ship', ['harbor']],
    ['"the harbor"', ['harbor', 'anchor']],
    ['"harbor and the ships"', ['harbor']],
    ['“harbor and', ['harbor']],
    ['＂ships the＂', []],
    ['harbor －anchor', ['harbor']],
    ['harbor −＂the ships＂', ['anchor']],
    ['"ships the"', []],
    ['harbor -anchor', ['harbor']],
    ['harbor -"the ships"', ['anchor']],
    ['the', ['harbor', 'anchor']],
    ['harbor mountain', []],
  ])('finds the videos that say %s', async (q, expected) => {
    const names = new Map([
      [harbor, 'harbor'],
      [anchor, 'anchor'],
    ])
    expect((await find(key, q)).map((id) => names.get(id)).sort()).toEqual([...expected].sort())
  })

  test('shows the passage with its segments, its moment and the words as said', async () => {
    const { hits, searched } = await search(key, '"harbor and" ship')
    expect(searched).toEqual({ videos: 2 })
    expect(hits).toMatchObject([{ job_id: harbor, passages: [{ start: 0, end: 2.9, segment_ids: [1, 2, 3] }] }])
    const [passage] = hits[0]?.passages ?? []
    expect(passage?.text).toBe('We mapped the harbor and the ships. Nothing more.')
    expect(passage && highlightedIn(passage)).toEqual(['harbor and', 'ships'])
  })

  test.each(['-harbor', '"', '-', '!?', '🙂', '-"a b"', '\u0001'])(
    'refuses a query with nothing to look for: %j',
    async (q) => {
      const { status, body } = await get(key, 'search', { q })
      expect([status, body.error.code, body.error.details.issues[0].path]).toEqual([400, 'VALIDATION_ERROR', 'query.q'])
    },
  )

  test.each([
    'harbor & !anchor',
    "harbor'; DROP TABLE jobs; --",
    "'harbor' | 'x' <-> 'y'",
    'harbor:* \\',
    'a'.repeat(200),
    'é'.repeat(200),
    '漢'.repeat(200),
    'a '.repeat(100).trim(),
    `${'"'.repeat(99)}x`,
    "((((('harbor",
    '%_\\% harbor',
    '\u202eharbor\u0007',
    `${'👩‍🚀'.repeat(60)} harbor`,
    `${'x'.repeat(150)} ${'漢字'.repeat(20)}`,
    `${'-'.repeat(100)} harbor`,
  ])('takes any text: %j', async (q) => {
    for (const kind of ['words', 'question']) await search(key, q, { kind })
    const { status } = await get(key, 'mentions', { q })
    expect(status).toBe(200)
  })

  test.each([
    { q: '' },
    {},
    { q: 'a'.repeat(201) },
    { q: 'a\u0000b' },
    { q: 'a', limit: 51 },
    { q: 'a', kind: 'any' },
    { q: 'a', cursor: 'x' },
    { q: 'a', from: '2024-02-01', to: '2024-01-01' },
  ])('refuses %j', async (query) => {
    expect((await get(key, 'search', query)).status).toBe(400)
  })
})

test('never finds what the videos of another account say', async () => {
  const [key, other] = [await api.createKey(), await api.createKey()]
  await say(other, ['secret harbor'])
  for (const kind of ['words', 'question']) {
    expect(await search(key, 'secret harbor', { kind })).toMatchObject({ hits: [], searched: { videos: 0 } })
  }
  expect((await get(key, 'mentions', { q: 'secret' })).body.data).toEqual({ total: 0, groups: [] })
})

test('answers a question with passages that have any of its words', async () => {
  const key = await api.createKey()
  const jobId = await say(key, ['The lighthouse was built in 1820.', 'It burns oil.'])
  await say(key, ['Nothing to see here.'])
  const { hits } = await search(key, 'When did they build the lighthouse?', { kind: 'question' })
  expect(hits[0]).toMatchObject({ job_id: jobId })
  expect(await find(key, 'When did they build the lighthouse?')).toEqual([])
})

test('the newest job of a video is found, and the one before it again when the newest is deleted', async () => {
  const key = await api.createKey()
  const videoId = newVideoId()
  const older = await say(key, ['harbor'], { videoId })
  expect(await find(key, 'harbor')).toEqual([older])
  const newer = await say(key, ['anchor'], { videoId })
  expect(await find(key, 'harbor')).toEqual([])
  expect(await find(key, 'anchor')).toEqual([newer])
  await removeFromLibrary(api.context.db, [newer])
  expect(await find(key, 'anchor')).toEqual([])
  expect(await find(key, 'harbor')).toEqual([older])
})

test('filters by language, channel and time', async () => {
  const key = await api.createKey()
  const old = await say(key, ['harbor'], {
    language: 'pt-BR',
    info: { published_at: '2020-03-01', channel: { id: 'c1', name: 'One', url: '' } },
  })
  const recent = await say(key, ['harbor'], { info: { published_at: null } })
  expect((await find(key, 'harbor')).sort()).toEqual([old, recent].sort())
  expect(await find(key, 'harbor', { language: 'pt' })).toEqual([old])
  expect(await find(key, 'harbor', { language: 'pt-PT' })).toEqual([])
  expect(await find(key, 'harbor', { channel_id: 'c1' })).toEqual([old])
  expect(await find(key, 'harbor', { from: '2020-03-01', to: '2020-03-01' })).toEqual([old])
  expect(await find(key, 'harbor', { to: '2020-03-01T00:00:00Z' })).toEqual([old])
  expect(await find(key, 'harbor', { to: '2020-02-29' })).toEqual([])
  expect(await find(key, 'harbor', { from: '2020-03-02' })).toEqual([recent])
  expect((await search(key, 'harbor', { language: 'pt' })).searched).toEqual({ videos: 1 })
})

test('pages show every hit once, whatever their size', async () => {
  const key = await api.createKey()
  const jobs: string[] = []
  for (let nth = 0; nth < 25; nth++)
    jobs.push(await say(key, ['harbor '.repeat((nth % 7) + 1), nth % 2 ? 'the ship' : 'ship the']))
  for (const [q, count] of [
    ['harbor', 25],
    ['"the ship" harbor', 12],
  ] as const) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { hits, pagination } = await search(key, q, { limit: 4, cursor })
      expect(hits.length).toBeLessThanOrEqual(4)
      seen.push(...hits.map(({ job_id }) => job_id))
      expect(pagination.has_more).toBe(pagination.next_cursor !== null)
      cursor = pagination.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toHaveLength(count)
    expect(new Set(seen).size).toBe(count)
  }
  const { pagination } = await search(key, 'harbor', { limit: 4 })
  expect((await get(key, 'search', { q: 'ship', cursor: pagination.next_cursor })).status).toBe(400)
  expect((await get(await api.createKey(), 'search', { q: 'harbor', cursor: pagination.next_cursor })).status).toBe(400)
})

test('pages neither repeat a hit nor hide one while jobs are added and deleted', async () => {
  const key = await api.createKey()
  const first: string[] = []
  for (let nth = 0; nth < 45; nth++) first.push(await say(key, ['harbor '.repeat((nth % 5) + 1)]))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { hits, pagination } = await search(key, 'harbor', { limit: 6, cursor })
    seen.push(...hits.map(({ job_id }) => job_id))
    cursor = pagination.next_cursor ?? undefined
    expect(cursor?.length ?? 0).toBeLessThanOrEqual(400)
    const shown = hits[0]?.job_id ?? ''
    const path = `/api/v1/videos/${shown}`
    await supertest(api.app).delete(path).set('Authorization', `Bearer ${key}`).expect(204)
    for (const words of [1, 6]) await say(key, ['harbor '.repeat(words)])
  } while (cursor && seen.length < 100)
  expect(new Set(seen).size).toBe(seen.length)
  expect(first.filter((id) => !seen.includes(id))).toEqual([])
})

test('passages share no segment, and a phrase is whole in one of them', async () => {
  const key = await api.createKey()
  const filler = (nth: number) => Array.from({ length: 40 }, (_, word) => `word${nth}x${word}`).join(' ')
  const texts = Array.from({ length: 60 }, (_, nth) =>
    nth % 3 === 2 ? `${filler(nth)} deep` : `harbor ${filler(nth)}`,
  )
  await say(key, texts)
  const { hits } = await search(key, '"deep harbor"')
  const passages = hits[0]?.passages ?? []
  expect(passages).toHaveLength(3)
  const ids = passages.flatMap(({ segment_ids }) => segment_ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const passage of passages) {
    expect(highlightedIn(passage)).toEqual(expect.arrayContaining(['deep harbor']))
    expect(passage.text).toBe(passage.segment_ids.map((id) => texts[id - 1]).join(' '))
  }
})
