import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'false' })
let key: string

beforeAll(async () => {
  key = await api.createKey()
})

const submit = (body: unknown, apiKey = key) =>
  supertest(api.app)
    .post('/api/v1/videos/process')
    .set('Authorization', `Bearer ${apiKey}`)
    .send(body as object)

describe('POST /videos/process', () => {
  test('accepts a video and returns the URLs to follow it', async () => {
    const { status, body, headers } = await submit({ url: 'youtu.be/dQw4w9WgXcQ?si=x&t=10', client_reference: 'ref-1' })
    expect(status).toBe(202)
    expect(body).toMatchObject({
      success: true,
      data: {
        status: 'queued',
        video_id: 'dQw4w9WgXcQ',
        video_url: VIDEO,
        priority: 'normal',
        client_reference: 'ref-1',
      },
      meta: { version: 'v1' },
    })
    expect(headers.location).toBe(`/api/v1/videos/status/${body.data.job_id}`)
    expect(body.data.status_url.endsWith(headers.location)).toBe(true)
    expect(headers['x-request-id']).toBe(body.meta.request_id)
  })

  test('keeps a well-formed request ID and replaces any other', async () => {
    const kept = await submit({ url: VIDEO }).set('X-Request-Id', 'my-request-1')
    expect(kept.body.meta.request_id).toBe('my-request-1')
    const replaced = await submit({ url: VIDEO }).set('X-Request-Id', 'short')
    expect(replaced.body.meta.request_id).not.toBe('short')
  })

  test.each([
    ['video_url', { video_url: VIDEO }],
    ['summary_mode', { url: VIDEO, summary_mode: 'detailed' }],
    ['summary_type', { url: VIDEO, summary_type: 'tldr', options: { summary_modes: ['tldr'] } }],
  ])('accepts the older field %s with a warning', async (field, request) => {
    const { status, body, headers } = await submit(request)
    expect(status).toBe(202)
    expect(headers.deprecation).toMatch(/^@\d+$/)
    expect(headers.link).toContain('rel="deprecation"')
    expect(body.meta.warnings).toEqual([expect.objectContaining({ code: 'DEPRECATED_FIELD' })])
    expect(body.meta.warnings[0].message).toContain(field)
  })

  test.each([
    ['an old and a new name that differ', { url: VIDEO, video_url: 'https://youtu.be/aaaaaaaaaaa' }, 'video_url'],
    [
      'modes that differ',
      { url: VIDEO, summary_mode: 'tldr', options: { summary_modes: ['detailed'] } },
      'summary_mode',
    ],
    ['an unknown field', { url: VIDEO, sumary_modes: ['tldr'] }, 'sumary_modes'],
    ['an unknown option', { url: VIDEO, options: { lang: 'en' } }, 'options.lang'],
    ['an invalid older mode', { url: VIDEO, summary_type: 'short' }, 'summary_type'],
    ['an older url of the wrong type', { video_url: 5 }, 'video_url'],
    ['a missing url', {}, 'url'],
    ['a url of the wrong type', { url: 5 }, 'url'],
    ['an unknown mode', { url: VIDEO, options: { summary_modes: ['short'] } }, 'options.summary_modes.0'],
    [
      'a picture of a transcript alone',
      { url: VIDEO, options: { summary_modes: [], generate_infographic: true } },
      'options.generate_infographic',
    ],
    ['null in a list', { url: VIDEO, options: { summary_modes: [null] } }, 'options.summary_modes.0'],
    ['null in the field that is required', { url: null }, 'url'],
    ['null in an unknown field', { url: VIDEO, sumary_modes: null }, 'sumary_modes'],
    [
      'a transcript limit out of range',
      { url: VIDEO, options: { max_transcript_length: 10_000_001 } },
      'options.max_transcript_length',
    ],
    ['an invalid language', { url: VIDEO, options: { language: 'not a tag' } }, 'options.language'],
    ['instructions that are too long', { url: VIDEO, custom_instructions: 'x'.repeat(2001) }, 'custom_instructions'],
    ['blank instructions', { url: VIDEO, custom_instructions: '  ' }, 'custom_instructions'],
    ['a reference that is too long', { url: VIDEO, client_reference: 'x'.repeat(256) }, 'client_reference'],
    ['a NUL character', { url: VIDEO, service_name: 'a\u0000b' }, 'service_name'],
    ['a webhook with credentials', { url: VIDEO, webhook_url: 'https://u:p@example.org/' }, 'webhook_url'],
    ['a webhook to a private address', { url: VIDEO, webhook_url: 'http://2130706433/' }, 'webhook_url'],
    ['a proxy when none is configured', { url: VIDEO, use_proxy: true }, 'use_proxy'],
  ])('refuses %s and names its place', async (_, request, path) => {
    const response = await submit(request)
    expect(response).toBeRefused(400, 'VALIDATION_ERROR')
    const { message, details } = response.body.error
    expect(details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
    expect(message).toBe(details.issues[0].message)
    expect(message).toContain(`\`${details.issues[0].path}\``)
  })

  test('refuses an unknown parameter', async () => {
    const response = await supertest(api.app)
      .post('/api/v1/videos/process?wait=30')
      .set('Authorization', `Bearer ${key}`)
      .send({ url: VIDEO })
    expect(response).toBeRefused(400, 'VALIDATION_ERROR', 'query.wait')
  })

  test.each([
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://vimeo.com/1',
    '',
    'javascript:alert(1)',
    `${VIDEO}\u0000`,
    `${VIDEO}&x=\ud800`,
    `${VIDEO}&x=${'x'.repeat(2_048)}`,
  ])('refuses %j as a video', async (url) => {
    expect(await submit({ url })).toBeRefused(400, 'INVALID_VIDEO_URL')
  })

  test('accepts a bare video ID, and names the field of a wrong one as it was sent', async () => {
    for (const field of ['url', 'video_url']) {
      const { status, body } = await submit({ [field]: 'dQw4w9WgXcQ' })
      expect([status, body.data.video_url]).toEqual([202, VIDEO])
      expect(await submit({ [field]: 'dQw4w9WgXc' })).toBeRefused(400, 'INVALID_VIDEO_URL', field)
    }
  })

  test('accepts the transcript alone on every plan', async () => {
    const free = await api.createKey({ plan: 'free' })
    const { status, body } = await submit({ url: VIDEO, options: { summary_modes: [] } }, free)
    expect(status).toBe(202)
    const { options } = await api.context.db.prisma.job.findUniqueOrThrow({ where: { id: body.data.job_id } })
    expect(options).toMatchObject({ summary_modes: [] })
  })

  test('takes null for the absence of an optional field, and repeats the reply to a body without it', async () => {
    const body = { url: VIDEO, client_reference: 'nothing else' }
    const nulls = {
      options: null,
      webhook_url: null,
      priority: null,
      custom_instructions: null,
      force_refresh: null,
      service_name: null,
      video_url: null,
      summary_mode: null,
    }
    const first = await submit({ ...body, ...nulls }).set('Idempotency-Key', 'nulls')
    expect([first.status, first.body.data?.priority, first.headers.deprecation]).toEqual([202, 'normal', undefined])
    const { options } = await api.context.db.prisma.job.findUniqueOrThrow({ where: { id: first.body.data.job_id } })
    expect(options).toMatchObject({ summary_modes: ['tldr'] })
    const again = await submit({ ...body, video_url: null, summary_mode: null }).set('Idempotency-Key', 'nulls')
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('names all violations of the plan at once', async () => {
    const free = await api.createKey({ plan: 'free' })
    const response = await submit(
      {
        url: VIDEO,
        priority: 'high',
        webhook_url: 'https://example.org/hook',
        custom_instructions: 'costs only',
        options: { summary_modes: ['tldr', 'detailed'], generate_infographic: true },
      },
      free,
    )
    expect(response).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
    expect(response.body.error.details).toMatchObject({ current_plan: 'free', required_plan: 'pro' })
    expect(response.body.error.details.violations.map((violation: { feature: string }) => violation.feature)).toEqual([
      'summary_modes',
      'priority',
      'webhooks',
      'custom_instructions',
      'infographics',
    ])
  })

  test('accepts every mode on the plus plan, and everything from an admin', async () => {
    const plus = await api.createKey({ plan: 'plus' })
    expect((await submit({ url: VIDEO, options: { summary_modes: ['detailed', 'detailed'] } }, plus)).status).toBe(202)
    const free = await api.createKey({ plan: 'free' })
    const refused = await submit({ url: VIDEO, options: { summary_modes: ['detailed'] } }, free)
    expect(refused.body.error.details.required_plan).toBe('plus')
    const admin = await api.createKey({ plan: 'free', scopes: ['admin'] })
    expect((await submit({ url: VIDEO, priority: 'high' }, admin)).status).toBe(202)
  })

  test('refuses submissions beyond the quota and says when to retry', async () => {
    const free = await api.createKey({ plan: 'free' })
    const statuses = await Promise.all(Array.from({ length: 8 }, () => submit({ url: VIDEO }, free)))
    expect(statuses.filter(({ status }) => status === 202)).toHaveLength(3)
    const refused = statuses.find(({ status }) => status === 429)
    expect(refused?.body.error).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      retryable: true,
      details: { limit: 3, used: 3 },
    })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  })
})
