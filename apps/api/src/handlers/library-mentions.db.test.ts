import { createTextFolder } from '@subtext/search'
import { countMentions } from '../library/count-mentions.ts'
import { createTranscriptReader } from '../library/read-transcripts.ts'
import { useTestApi } from '../testing/api.ts'
import { useTestLibrary } from '../testing/library.ts'

const api = useTestApi()
const { get, say } = useTestLibrary(api)

describe('mentions', () => {
  test('are counted exactly, by month, channel and video', async () => {
    const key = await api.createKey()
    const channel = { id: 'c1', name: 'One', url: '' }
    const first = await say(key, ['harbor harbors', 'the ship'], {
      info: { published_at: '2024-05-06', channel },
      videoId: 'video-aaaaa',
    })
    const last = await say(key, ['no', 'Harbor ship harbor'], {
      info: { published_at: '2024-05-31T23:59:59Z', channel },
      videoId: 'video-bbbbb',
    })
    await say(key, ['harbor'], {
      info: { published_at: '2024-06-01', channel: { id: '', name: 'Two', url: '' } },
      videoId: 'video-ccccc',
    })
    const count = async (query: Record<string, unknown>) => (await get(key, 'mentions', query)).body.data
    expect(await count({ q: 'harbor' })).toMatchObject({
      total: 5,
      groups: [
        {
          key: '2024-05',
          mentions: 4,
          videos: 2,
          first: { job_id: first, start: 0, url: expect.stringContaining('v=video-aaaaa&t=0s') },
          last: { job_id: last, start: 1, url: expect.stringContaining('v=video-bbbbb&t=1s') },
        },
        { key: '2024-06', mentions: 1, videos: 1 },
      ],
    })
    const keysOf = ({ groups }: { groups: { key: string; mentions: number }[] }) =>
      groups.map(({ key: name, mentions }) => [name, mentions])
    expect(keysOf(await count({ q: 'harbor', by: 'channel' }))).toEqual([
      ['c1', 4],
      ['Two', 1],
    ])
    expect(keysOf(await count({ q: 'harbor', by: 'video', to: '2024-05-31' }))).toEqual([
      ['video-aaaaa', 2],
      ['video-bbbbb', 2],
    ])
    expect(await count({ q: 'harbor harbors' })).toMatchObject({ total: 5 })
    expect(await count({ q: 'harbor ship' })).toMatchObject({ total: 7 })
    expect(await count({ q: '"ship harbor"' })).toMatchObject({ total: 1 })
    expect(await count({ q: 'mountain' })).toEqual({ total: 0, groups: [] })
  })
})

test('leaves out videos in which an excluded word is said', async () => {
  const key = await api.createKey()
  await say(key, ['harbor ship'])
  await say(key, ['harbor harbor'])
  expect((await get(key, 'mentions', { q: 'harbor -ship' })).body.data.total).toBe(2)
})

describe('with more videos than are counted', () => {
  const run = async (maxVideos: number) => {
    const key = await api.createKey()
    for (const day of ['2024-01-01', '2024-01-02', '2024-01-03'])
      await say(key, ['harbor'], { info: { published_at: day } })
    const { db } = api.context
    const [row] = (await db.query<{ userId: string }>('SELECT user_id AS "userId" FROM jobs ORDER BY id DESC LIMIT 1'))
      .rows
    const tools = {
      db,
      readTranscript: createTranscriptReader(api.context),
      folderOf: createTextFolder,
      pace: async () => {},
    }
    return countMentions(tools, row?.userId ?? '', { q: 'harbor', by: 'video' }, maxVideos)
  }

  test('the newest are counted, and a warning says so', async () => {
    const { data, warnings } = await run(2)
    expect(data.total).toBe(2)
    expect(warnings).toMatchObject([{ code: 'MENTIONS_CAPPED', message: expect.stringContaining('2 videos') }])
  })

  test('there is no warning if all are counted', async () => {
    const { data, warnings } = await run(3)
    expect([data.total, warnings]).toEqual([3, []])
  })
})

describe('a transcript that cannot be read', () => {
  test('is left out, because its job has just been deleted', async () => {
    const key = await api.createKey()
    const [gone, stays] = [await say(key, ['harbor one']), await say(key, ['harbor two'])]
    await api.context.db.query(
      'DELETE FROM transcript_parts WHERE transcript_id = (SELECT transcript_id FROM results WHERE job_id = $1)',
      [gone],
    )
    expect((await get(key, 'search', { q: 'harbor' })).body.data.hits).toMatchObject([{ job_id: stays }])
    expect((await get(key, 'mentions', { q: 'harbor' })).body.data.total).toBe(1)
  })

  test('fails the request if the database failed, rather than count too little', async () => {
    const key = await api.createKey()
    await say(key, ['harbor three'])
    await api.context.db.query('ALTER TABLE transcript_parts RENAME TO transcript_parts_away')
    try {
      expect((await get(key, 'search', { q: 'harbor' })).status).toBe(500)
      expect((await get(key, 'mentions', { q: 'harbor' })).status).toBe(500)
    } finally {
      await api.context.db.query('ALTER TABLE transcript_parts_away RENAME TO transcript_parts')
    }
  })
})
