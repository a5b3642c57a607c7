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
