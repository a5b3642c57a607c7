import { MAX_BATCH_VIDEOS, renameBatchFields, SubmitBatch } from './submit-batch.ts'

const URL = 'https://youtu.be/dQw4w9WgXcQ'
const list = <T>(length: number, entry: T): T[] => Array.from({ length }, () => entry)
const issuesOf = (body: unknown) => SubmitBatch.safeParse(body).error?.issues.map(({ path }) => path.join('.'))

describe('renameBatchFields', () => {
  test.each([null, undefined, 5, 'text', [[1]], {}, { videos: 5 }, { videos: [{ url: URL }], priority: 'high' }])(
    'does not change %j',
    (input) => {
      expect(renameBatchFields(input)).toEqual({ body: input, deprecated: [], issues: [], renamed: new Map() })
    },
  )

  test('renames the fields of every entry and reports each deprecated name once', () => {
    const videos = [{ video_url: URL, summary_mode: 'tldr' }, { url: URL }, null, { video_url: 5 }]
    expect(renameBatchFields({ videos })).toMatchObject({
      body: { videos: [{ url: URL, options: { summary_modes: ['tldr'] } }, { url: URL }, null, { url: 5 }] },
      deprecated: ['videos[].video_url', 'videos[].summary_mode'],
      issues: [],
    })
  })

  test('maps the new path of a value to the path it was sent at', () => {
    const videos = [{ url: URL }, { video_url: 5, summary_type: 'short' }]
    expect([...renameBatchFields({ videos }).renamed]).toEqual([
      ['videos.1.url', 'videos.1.video_url'],
      ['videos.1.options.summary_modes.0', 'videos.1.summary_type'],
    ])
  })

  test('reports the entry in which a deprecated name contradicts its replacement', () => {
    const videos = [{ url: URL }, { url: URL, video_url: `${URL}x` }]
    expect(renameBatchFields({ videos }).issues).toMatchObject([
      { path: 'videos.1.video_url', code: 'conflicting_fields' },
    ])
  })

  test('leaves the deprecated list unchanged, and refuses it next to the new one', () => {
    const jobs = [{ video_url: URL, summary_mode: 'tldr' }]
    expect(renameBatchFields({ jobs })).toMatchObject({
      body: { jobs },
      deprecated: ['jobs'],
      issues: [],
      renamed: new Map(),
    })
    expect(renameBatchFields({ jobs, videos: [{ url: URL }] }).issues).toMatchObject([
      { path: 'jobs', code: 'conflicting_fields' },
    ])
  })

  test('truncates a list that is too long, so that it is refused once instead of entry by entry', () => {
    for (const name of ['videos', 'jobs']) {
      const { body } = renameBatchFields({ [name]: list(50_000, {}) })
      expect(body).toEqual({ [name]: list(MAX_BATCH_VIDEOS + 1, {}) })
      expect(issuesOf(body)).toContain(name)
    }
  })

  test('does not change the request it is given', () => {
    const input = Object.freeze({ videos: Object.freeze([Object.freeze({ video_url: URL })]) })
    renameBatchFields(input)
    expect(input).toEqual({ videos: [{ video_url: URL }] })
  })
})

describe('SubmitBatch', () => {
  test.each([
    ['a request without a list', {}, ['videos']],
    ['an empty list', { videos: [] }, ['videos']],
    ['an empty deprecated list', { jobs: [] }, ['jobs']],
    ['an invalid entry', { videos: [{ url: URL }, 'x', {}] }, ['videos.1', 'videos.2.url']],
    ['instructions of a single video', { videos: [{ url: URL, custom_instructions: 'x' }] }, ['videos.0']],
    [
      'an invalid option',
      { videos: [{ url: URL, options: { language: 'not a tag' } }] },
      ['videos.0.options.language'],
    ],
    ['options in the deprecated list', { jobs: [{ video_url: URL, options: {} }] }, ['jobs.0']],
    ['a deprecated entry without its URL', { jobs: [{ summary_mode: 'tldr' }] }, ['jobs.0.video_url']],
  ])('refuses %s and reports its path', (_, body, paths) => {
    expect(issuesOf(body)).toEqual(paths)
  })

  test.each([1, MAX_BATCH_VIDEOS])('accepts %d videos', (length) => {
    expect(issuesOf({ videos: list(length, { url: URL }) })).toBeUndefined()
  })

  test('fills in defaults', () => {
    expect(SubmitBatch.parse({ videos: [{ url: URL }] })).toMatchObject({
      priority: 'normal',
      videos: [{ url: URL, options: { summary_modes: ['tldr'], max_transcript_length: 10_000_000 } }],
    })
    expect(SubmitBatch.parse({ jobs: [{ video_url: URL }] }).jobs).toEqual([{ video_url: URL, summary_mode: 'tldr' }])
  })
})
