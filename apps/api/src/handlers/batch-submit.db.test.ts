import { ServiceError } from '@subtext/contracts'
import supertest from 'supertest'
import { countRows, NO_ROWS } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { failTestJob, VIDEO_URL } from '../testing/jobs.ts'

const OTHER_URL = 'https://youtu.be/9bZkp7q19f0'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'false' })
let key: string
let admin: string

beforeAll(async () => {
  admin = await api.createKey({ scopes: ['admin'] })
})
beforeEach(async () => {
  key = await api.createKey()
})

const videos = (count: number, more: object = {}) => Array.from({ length: count }, () => ({ url: VIDEO_URL, ...more }))
const submit = (body: unknown, apiKey = key) =>
  supertest(api.app)
    .post('/api/v1/batch/process')
    .set('X-API-Key', apiKey)
    .send(body as object)

const account = (apiKey = key) => countRows(api.context, apiKey)

describe('POST /batch/process', () => {
  test('accepts all videos and returns the URLs to follow the batch', async () => {
    const { status, body, headers } = await submit({
      videos: [
        { url: 'youtu.be/dQw4w9WgXcQ?t=1', options: { summary_modes: ['detailed'], language: 'de' } },
        { url: OTHER_URL },
      ],
      priority: 'high',
      parallel_processing: true,
      client_reference: 'ref',
      agent_name: 'agent',
      webhook_url: 'https://93.184.216.34/hook',
    })
    expect(status).toBe(202)
    const { batch_id, jobs } = body.data
    expect(body.data).toMatchObject({
      status: 'processing',
      total_jobs: 2,
      client_reference: 'ref',
      agent_name: 'agent',
      jobs: [{ index: 0 }, { index: 1 }],
    })
    expect(headers.location).toBe(`/api/v1/batch/status/${batch_id}`)
    expect(body.data.status_url.endsWith(headers.location)).toBe(true)
    expect(await account()).toEqual({ jobs: 2, batches: 1, accepted: 2, used: 2 })

    const { rows } = await api.context.db.query(
      `SELECT id, batch_index, lane, priority, video_id, options, webhook_url, client_reference FROM jobs
       WHERE batch_id = $1 ORDER BY batch_index`,
      [batch_id],
    )
    const shared = { lane: 'normal', priority: 'high', webhook_url: null, client_reference: 'ref' }
    expect(rows).toMatchObject([
      {
        id: jobs[0].job_id,
        batch_index: 0,
        video_id: 'dQw4w9WgXcQ',
        ...shared,
        options: { summary_modes: ['detailed'], language: 'de' },
      },
      { id: jobs[1].job_id, batch_index: 1, video_id: '9bZkp7q19f0', ...shared, options: { summary_modes: ['tldr'] } },
    ])
    const job = await supertest(api.app).get(`/api/v1/videos/status/${jobs[0].job_id}`).set('X-API-Key', key)
    expect(job.body.data).toMatchObject({ batch_id, status: 'queued', client_reference: 'ref' })
  })

  test.each([1, 100])('accepts %d videos, even if all are the same', async (count) => {
    const { status, body } = await submit({ videos: videos(count) }, admin)
    expect([status, body.data.total_jobs]).toEqual([202, count])
    expect(new Set(body.data.jobs.map((job: { job_id: string }) => job.job_id)).size).toBe(count)
  })

  test.each<[string, unknown, string, string]>([
    ['a batch without videos', { videos: [] }, 'videos', 'too_small'],
    ['101 videos', { videos: videos(101) }, 'videos', 'too_big'],
    [
      '101 videos in the older form',
      { jobs: Array.from({ length: 101 }, () => ({ video_url: VIDEO_URL })) },
      'jobs',
      'too_big',
    ],
    ['a missing list', { webhook_url: 'https://example.org/' }, 'videos', 'required'],
    ['an empty body', {}, 'videos', 'required'],
    ['an object instead of a list', { videos: { url: VIDEO_URL } }, 'videos', 'invalid_type'],
    ['both forms', { videos: videos(1), jobs: [{ video_url: VIDEO_URL }] }, 'jobs', 'conflicting_fields'],
    ['an unknown field', { videos: videos(1), webook_url: 'x' }, 'webook_url', 'unknown_field'],
    [
      'an unknown field of an entry',
      { videos: [...videos(3), { url: VIDEO_URL, lang: 'de' }] },
      'videos.3.lang',
      'unknown_field',
    ],
    [
      'an unknown option',
      { videos: [...videos(2), ...videos(1, { options: { lang: 'de' } })] },
      'videos.2.options.lang',
      'unknown_field',
    ],
    [
      'an invalid option',
      { videos: [...videos(3), ...videos(1, { options: { language: 'no tag' } })] },
      'videos.3.options.language',
      'custom',
    ],
    [
      'instructions for one video',
      { videos: videos(1, { custom_instructions: 'x' }) },
      'videos.0.custom_instructions',
      'unknown_field',
    ],
    [
      'a webhook for one video',
      { videos: videos(1, { webhook_url: 'https://example.org/' }) },
      'videos.0.webhook_url',
      'unknown_field',
    ],
    ['an entry without a URL', { videos: [...videos(1), {}] }, 'videos.1.url', 'required'],
    ['null as an entry', { videos: [...videos(1), null] }, 'videos.1', 'invalid_type'],
    [
      'old and new names that differ',
      { videos: videos(1, { video_url: OTHER_URL }) },
      'videos.0.video_url',
      'conflicting_fields',
    ],
    [
      'a URL of another platform',
      { videos: [...videos(7), { url: 'https://vimeo.com/1' }] },
      'videos.7.url',
      'invalid_video_url',
    ],
    [
      'a URL of another platform in an older field',
      { videos: [{ video_url: 'https://vimeo.com/1' }] },
      'videos.0.video_url',
      'invalid_video_url',
    ],
    [
      'a URL of another platform in the older form',
      { jobs: [{ video_url: VIDEO_URL }, { video_url: 'x' }] },
      'jobs.1.video_url',
      'invalid_video_url',
    ],
    [
      'an unknown mode in the older form',
      { jobs: [{ video_url: VIDEO_URL, summary_mode: 'short' }] },
      'jobs.0.summary_mode',
      'invalid_value',
    ],
    [
      'a webhook to a private address',
      { videos: videos(1), webhook_url: 'http://127.0.0.1/' },
      'webhook_url',
      'invalid_webhook_url',
    ],
    [
      'a webhook to a private address in the older form',
      { jobs: [{ video_url: VIDEO_URL, webhook_url: 'http://[::1]/' }] },
      'jobs.0.webhook_url',
      'invalid_webhook_url',
    ],
    ['an invalid priority', { videos: videos(1), priority: 'urgent' }, 'priority', 'invalid_value'],
    ['an invalid flag', { videos: videos(1), parallel_processing: 'yes' }, 'parallel_processing', 'invalid_type'],
  ])('refuses the whole batch for %s and names the place', async (_, request, path, code) => {
    const response = await submit(request)
    expect(response).toBeRefused(400, 'VALIDATION_ERROR')
    expect(response.body.error.details.issues).toContainEqual({ path, code, message: expect.any(String) })
    expect(await account()).toEqual(NO_ROWS)
  })

  test('names the errors of all entries at once', async () => {
    const { body } = await submit({
      videos: [{ url: 'x' }, ...videos(1), { url: '' }],
      webhook_url: 'http://10.0.0.1/',
    })
    const places = body.error.details.issues.map((issue: { path: string }) => issue.path)
    expect(places).toEqual(['videos.0.url', 'videos.2.url', 'webhook_url'])
  })

  test('names URLs that are not videos together with violations of the schema, each once', async () => {
    const invalid = [{ url: 'https://example.org/' }, { url: VIDEO_URL, options: { summary_modes: ['x'] } }, { url: 5 }]
    const placesOf = async (request: object) => {
      const { status, body } = await submit(request)
      expect(status).toBe(400)
      return body.error.details.issues.map((issue: { path: string; code: string }) => issue.path).sort()
    }
    const places = [
      'videos.0.url',
      'videos.1.options.summary_modes.0',
      'videos.2.url',
      'videos.3.video_url',
      'videos.4',
    ]
    expect(await placesOf({ videos: [...invalid, { video_url: 'x' }, null] })).toEqual(places)
    expect(await placesOf({ videos: [{ url: 'x'.repeat(2_049) }] })).toEqual(['videos.0.url'])
    expect(await placesOf({ jobs: [{ video_url: 'x' }, { video_url: VIDEO_URL, summary_mode: 'x' }] })).toEqual([
      'jobs.0.video_url',
      'jobs.1.summary_mode',
    ])
    expect(await placesOf({ videos: { 0: { url: 'x' } } })).toEqual(['videos'])
    expect(await account()).toEqual(NO_ROWS)
  })

  test('refuses plans without batches with all violations, and accepts an admin on any plan', async () => {
    const request = {
      videos: [...videos(1), ...videos(1, { options: { summary_modes: ['detailed'] } })],
      webhook_url: 'https://93.184.216.34/hook',
    }
    const refused = await submit(request, await api.createKey({ plan: 'free' }))
    expect(refused).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
    expect(refused.body.error.details).toEqual({
      feature: 'batches',
      current_plan: 'free',
      required_plan: 'pro',
      violations: [
        { feature: 'batches', required_plan: 'pro' },
        { feature: 'webhooks', field: 'webhook_url', required_plan: 'pro' },
        { feature: 'summary_modes', field: 'videos.1.options.summary_modes', required_plan: 'plus' },
      ],
    })
    const older = { jobs: [{ video_url: VIDEO_URL, summary_mode: 'detailed', custom_instructions: 'x' }] }
    const { body } = await submit(older, await api.createKey({ plan: 'free' }))
    const fields = body.error.details.violations.map((violation: { field: string }) => violation.field)
    expect(fields).toEqual([undefined, 'jobs.0.summary_mode', 'jobs.0.custom_instructions'])
    expect((await submit(request, await api.createKey({ plan: 'free', scopes: ['admin'] }))).status).toBe(202)
    expect((await submit(request, await api.createKey({ scopes: ['read'] }))).status).toBe(403)
  })

  test('accepts older names within the entries, with one warning for each name', async () => {
    const { status, body, headers } = await submit({
      videos: [
        { video_url: VIDEO_URL, summary_mode: 'detailed' },
        { video_url: OTHER_URL, summary_type: 'tldr' },
      ],
    })
    expect(status).toBe(202)
    expect(headers.deprecation).toMatch(/^@\d+$/)
    const warned = body.meta.warnings.map(({ message }: { message: string }) => message.split('`')[1])
    expect(warned).toEqual(['videos[].video_url', 'videos[].summary_mode', 'videos[].summary_type'])
  })

  test('accepts the older form, in which every entry has its own webhook and instructions', async () => {
    const hook = 'https://93.184.216.34/hook'
    const { status, body, headers } = await submit({
      jobs: [
        { video_url: VIDEO_URL, summary_mode: 'study_notes', webhook_url: hook, custom_instructions: ' costs ' },
        { video_url: OTHER_URL },
      ],
    })
    expect(status).toBe(202)
    expect(headers.deprecation).toMatch(/^@\d+$/)
    expect(headers.link).toContain('rel="deprecation"')
    expect(body.meta.warnings).toEqual([{ code: 'DEPRECATED_FIELD', message: expect.stringContaining('`jobs`') }])
    const { rows } = await api.context.db.query(
      'SELECT options, webhook_url, custom_instructions FROM jobs WHERE batch_id = $1 ORDER BY batch_index',
      [body.data.batch_id],
    )
    expect(rows).toMatchObject([
      { options: { summary_modes: ['study_notes'] }, webhook_url: hook, custom_instructions: 'costs' },
      { options: { summary_modes: ['tldr'] }, webhook_url: null, custom_instructions: null },
    ])
    await failTestJob(api.context, body.data.jobs[0].job_id, new ServiceError('VIDEO_UNAVAILABLE'))
    const events = await api.context.db.prisma.webhookEvent.findMany({ where: { subjectId: body.data.jobs[0].job_id } })
    expect(events).toMatchObject([{ type: 'job.failed' }])
  })
})
