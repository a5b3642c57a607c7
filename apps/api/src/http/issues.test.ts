import {
  account,
  batches,
  lists,
  RequestedFormat,
  type RouteShape,
  ServiceError,
  usage,
  validationError,
  videos,
  webhooks,
} from '@subtext/contracts'
import { measureGrowth } from '@subtext/runtime/testing'
import { MAX_ISSUES, parsePart, refuseInSentNames } from './issues.ts'

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

/** Returns the issues of a body as a caller gets them. */
function issuesOf(route: RouteShape, body: unknown) {
  const upgraded = route.upgrade?.(body) ?? { body }
  if (!route.body) throw new Error('The route takes no body.')
  return complete(parsePart({ schema: route.body }, upgraded.body))
}

const queryIssuesOf = (route: RouteShape, query: Record<string, string | string[]>) => {
  if (!route.query) throw new Error('The route takes no query.')
  return complete(parsePart({ schema: route.query, prefix: 'query' }, query))
}

function complete(parsed: ReturnType<typeof parsePart>) {
  if (!('issues' in parsed)) return []
  return validationError(parsed.issues).details?.issues as { path: string; message: string; code: string }[]
}

const withOptions = (options: object) => ({ url: VIDEO, options })
const MODES = '`tldr`, `detailed`, `study_notes`, `timestamped`, `key_insights`'

describe('parsePart', () => {
  test.each<[string, unknown, string]>([
    ['nothing', {}, '`url` is required, or `source`.'],
    ['another name', { uri: VIDEO }, 'Unknown field `uri`. Did you mean `url`?'],
    ['no instructions', { url: VIDEO, custom_instructions: ' ' }, '`custom_instructions` must not be empty.'],
    ['a list', [], 'The request body must be an object.'],
    [
      'a number that no variable can hold',
      withOptions({ max_transcript_length: 2 ** 53 }),
      '`options.max_transcript_length` must be at most 10,000,000.',
    ],
    ['null', null, 'The request body must be an object.'],
    ['a number as URL', { url: 5 }, '`url` must be a string.'],
    ['text for a list', withOptions({ summary_modes: 'tldr' }), '`options.summary_modes` must be a list.'],
    ['null options', { url: VIDEO, options: null }, '`options` must be an object.'],
    [
      'a fraction',
      withOptions({ max_transcript_length: 0.5 }),
      '`options.max_transcript_length` must be a whole number.',
    ],
    [
      'a number that is too large',
      withOptions({ max_transcript_length: 1e8 }),
      '`options.max_transcript_length` must be at most 10,000,000.',
    ],
    ['text for a boolean', { url: VIDEO, force_refresh: 'yes' }, '`force_refresh` must be `true` or `false`.'],
    ['an unknown priority', { url: VIDEO, priority: 'urgent' }, '`priority` must be one of `normal`, `high`.'],
    [
      'an unknown mode',
      withOptions({ summary_modes: ['tldr', 'Key-Insight'] }),
      `\`options.summary_modes.1\` must be one of ${MODES}. Did you mean \`key_insights\`?`,
    ],
    ['a long name', { url: VIDEO, service_name: 'x'.repeat(256) }, '`service_name` must have at most 255 characters.'],
  ])('for %s, says which field is wrong and why', (_, body, message) => {
    expect(issuesOf(videos.submit, body)[0]?.message).toBe(message)
  })

  test.each(['2027-01-01', 'tomorrow', '2027-01-01T00:00:00', 5])('says how to write a time such as %j', (sent) => {
    expect(issuesOf(account.createKey, { name: 'Import', expires_at: sent }).map(({ message }) => message)).toEqual([
      '`expires_at` must be an ISO 8601 date and time with seconds and an offset, such as `2027-01-31T18:00:00Z`.',
    ])
  })

  test.each<[RouteShape, Record<string, string | string[]>, string]>([
    [lists.jobs, { limit: '101' }, 'The query parameter `limit` must be a whole number from 1 to 100.'],
    [lists.jobs, { limit: ['1', '2'] }, 'The query parameter `limit` is sent more than once. Send it once.'],
    [lists.jobs, { limit: 'ten' }, 'The query parameter `limit` must be a whole number from 1 to 100.'],
    [
      lists.jobs,
      { status: 'complete' },
      'The query parameter `status` must be one of `queued`, `processing`, `completed`, `failed`. Did you mean `completed`?',
    ],
    [
      videos.result,
      { format: 'pdf' },
      `The query parameter \`format\` must be one of ${RequestedFormat.options.map((format) => `\`${format}\``).join(', ')}. For a PDF, use \`GET /videos/export/{job_id}/pdf\`.`,
    ],
    [videos.result, { download: 'yes' }, 'The query parameter `download` must be `1`.'],
    [videos.result, { fromat: 'json' }, 'Unknown query parameter `fromat`. Did you mean `format`?'],
    [webhooks.deliveries, { job_id: '7' }, 'The query parameter `job_id` must be a UUID.'],
    [usage.history, { start_date: 'today' }, 'The query parameter `start_date` must be an ISO 8601 date'],
    [usage.history, { start_date: '2026-02-01', end_date: '2026-01-01' }, 'The query parameter `end_date` must not be'],
  ])('for a query of %o and %j, says what is wrong', (route, query, message) => {
    expect(queryIssuesOf(route, query)[0]?.message.slice(0, message.length)).toBe(message)
  })

  test('calls a missing field required, even in a list and if it is one of a few values', () => {
    expect(issuesOf(batches.submit, { videos: [{ url: VIDEO }, {}] })).toEqual([
      { path: 'videos.1.url', message: '`videos.1.url` is required, or `import`.', code: 'required' },
    ])
    expect(issuesOf(batches.submit, {})).toEqual([
      {
        path: 'videos',
        message: '`videos` is required. Send a list of 1 to 100 videos, or a `source`.',
        code: 'required',
      },
    ])
  })

  test('says how many entries an empty list must have', () => {
    expect(issuesOf(batches.submit, { videos: [] }).map(({ message }) => message)).toEqual([
      '`videos` must have at least 1 entry.',
    ])
  })

  test.each<[RouteShape, unknown, string, string]>([
    [videos.submit, { url: VIDEO, summary_modes: ['tldr'] }, 'summary_modes', 'options.summary_modes'],
    [videos.submit, { url: VIDEO, summaryModes: ['tldr'] }, 'summaryModes', 'options.summary_modes'],
    [videos.submit, withOptions({ summary_mode: ['tldr'] }), 'options.summary_mode', 'options.summary_modes'],
    [videos.submit, { url: VIDEO, summary_typ: 'tldr' }, 'summary_typ', 'options.summary_modes'],
    [videos.submit, { url: VIDEO, language: 'de' }, 'language', 'options.language'],
    [videos.submit, withOptions({ lang: 'de' }), 'options.lang', 'options.language'],
    [videos.submit, withOptions({ priority: 'high' }), 'options.priority', 'priority'],
    [videos.submit, { url: VIDEO, webhook: 'x' }, 'webhook', 'webhook_url'],
    [videos.submit, { url: VIDEO, opitons: {} }, 'opitons', 'options'],
    [videos.submit, { url: VIDEO, videoUrl: VIDEO }, 'videoUrl', 'url'],
    [batches.submit, { videos: [{ url: VIDEO, language: 'de' }] }, 'videos.0.language', 'videos[].options.language'],
    [batches.submit, { videos: [{ link: VIDEO, ur: VIDEO }] }, 'videos.0.ur', 'videos[].url'],
    [batches.submit, { videos: [{ videoUrl: VIDEO }] }, 'videos.0.videoUrl', 'videos[].url'],
    [batches.submit, { vidoes: [] }, 'vidoes', 'videos'],
  ])('suggests the nearest field of the whole request (%#)', (route, body, path, meant) => {
    expect(issuesOf(route, body)).toContainEqual({
      path,
      message: `Unknown field \`${path}\`. Did you mean \`${meant}\`?`,
      code: 'unknown_field',
    })
  })

  test.each(['zebra', 'x', '', '日本', '__proto__', 'constructor', 'a'.repeat(50_000)])(
    'suggests nothing for a name that resembles none (%#)',
    (name) => {
      const issues = issuesOf(videos.submit, JSON.parse(`{"url":"${VIDEO}","${name}":1}`))
      expect(issues).toEqual([{ path: name, message: expect.any(String), code: 'unknown_field' }])
      expect(issues[0]?.message).toMatch(/^Unknown field `.{0,123}`\.$/)
    },
  )

  test('reports a limited number of unknown fields', () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`summary_mode${index}`, 1]))
    expect(issuesOf(videos.submit, body)).toHaveLength(MAX_ISSUES)
  })
})

describe('refuseInSentNames', () => {
  const renamed = new Map([['url', 'video_url']])

  test('names a deprecated field as it was sent', () => {
    const refused = validationError([{ path: 'url', message: 'Is empty.', code: 'x' }], 'INVALID_VIDEO_URL')
    expect(refuseInSentNames(refused, renamed)).toMatchObject({
      code: 'INVALID_VIDEO_URL',
      message: '`video_url` is empty.',
      details: { issues: [{ path: 'video_url', message: '`video_url` is empty.', code: 'x' }] },
    })
  })

  test('leaves every other error as it is', () => {
    for (const error of [new Error('x'), new ServiceError('NOT_FOUND'), 'x']) {
      expect(refuseInSentNames(error, renamed)).toBe(error)
    }
  })
})

test('takes no longer for each issue, however many there are', async () => {
  const video = { url: 5, options: { summary_modes: Array(20).fill(0), language: 5 } }
  const parse = (videos: number) => issuesOf(batches.submit, { videos: Array(videos).fill(video) })
  expect(await measureGrowth(parse, { small: 10, large: 100 })).toBeLessThan(4)
})
