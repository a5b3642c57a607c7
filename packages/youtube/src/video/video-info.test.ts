import { VideoInfo } from '@subtext/contracts'
import { parsePlayerResponse } from './player-response.ts'
import { buildVideoInfo } from './video-info.ts'

const ID = 'abcdefghijk'
const build = (videoDetails: unknown, more: object = {}) =>
  buildVideoInfo(parsePlayerResponse({ videoDetails, ...more }), ID)
const image = (url: string, width = 100, height = 100) => ({ url, width, height })

test('builds the information from what the platform says', () => {
  const info = build(
    {
      title: 'Mills',
      author: 'Wind & Water',
      channelId: 'UC_x-1',
      shortDescription: 'About mills.\n\n0:00 Wind\n1:10 Water\n2:20 Horses',
      lengthSeconds: '200',
      isLiveContent: true,
      thumbnail: {
        thumbnails: [
          image('https://i.ytimg.com/vi/x/large.jpg', 640, 480),
          image('//i.ytimg.com/vi/x/small.jpg', 10, 10),
          image('https://evil.example/huge.jpg', 9000, 9000),
        ],
      },
    },
    { microformat: { playerMicroformatRenderer: { publishDate: '2025-03-02T10:00:00-08:00' } } },
  )
  expect(info).toEqual({
    video_id: ID,
    url: `https://www.youtube.com/watch?v=${ID}`,
    title: 'Mills',
    channel: { id: 'UC_x-1', name: 'Wind & Water', url: 'https://www.youtube.com/channel/UC_x-1' },
    description: 'About mills.\n\n0:00 Wind\n1:10 Water\n2:20 Horses',
    published_at: '2025-03-02T18:00:00.000Z',
    duration_seconds: 200,
    thumbnail_url: 'https://i.ytimg.com/vi/x/large.jpg',
    language: null,
    is_live_archive: true,
    available_tracks: [],
    chapters: [
      { title: 'Wind', start: 0 },
      { title: 'Water', start: 70 },
      { title: 'Horses', start: 140 },
    ],
  })
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['other types', { title: 5, author: [], channelId: {}, shortDescription: null, lengthSeconds: 'x', thumbnail: 'y' }],
  [
    'broken parts',
    {
      lengthSeconds: '-5',
      channelId: '../evil?x',
      thumbnail: { thumbnails: [null, {}, image('javascript:alert(1)')] },
    },
  ],
])('keeps to the contract when the platform sends %s', (_, details) => {
  const info = build(details, { microformat: { playerMicroformatRenderer: { publishDate: 'soon' } } })
  expect(VideoInfo.parse(info)).toMatchObject({
    title: '',
    channel: { id: '', name: '', url: '' },
    duration_seconds: 0,
    published_at: null,
    thumbnail_url: `https://i.ytimg.com/vi/${ID}/hqdefault.jpg`,
    available_tracks: [],
    chapters: [],
  })
})

test('makes foreign text safe and limits its length', () => {
  const info = build({
    title: `a\u202Eb\u0000\nc\uD800 ${'t'.repeat(1000)}`,
    author: 'n'.repeat(1000),
    shortDescription: `x\u2066y\r\nz ${'d'.repeat(50_000)}`,
  })
  expect(info.title.startsWith('ab c\uFFFD t')).toBe(true)
  expect(info.description.startsWith('xy\nz d')).toBe(true)
  expect([info.title.length, info.channel.name.length, info.description.length]).toEqual([300, 300, 10_000])
})
