import { Subtext } from '@subtext/sdk'
import { toProtocolError } from './protocol-error.ts'
import { toErrorResult } from './tool-result.ts'

const BASE = 'http://api.internal:3000'

test.each<[string, typeof fetch]>([
  ['CONNECTION_ERROR', () => Promise.reject(new TypeError('fetch failed'))],
  ['INVALID_RESPONSE', async () => new Response('<html>')],
  ['INVALID_RESPONSE', async () => new Response(null, { status: 301, headers: { Location: `${BASE}/x` } })],
  [
    'TIMEOUT',
    (_, init) =>
      new Promise((__, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  ],
])('the address of the API is not part of the error %s', async (code, fetch) => {
  const { videos } = new Subtext({ apiKey: 'sk_x', baseUrl: BASE, fetch, maxRetries: 0, timeoutMs: 5 })
  const error: unknown = await videos.status('job').catch((reason: unknown) => reason)
  const text = JSON.stringify(toErrorResult(error))
  expect(text).toContain(code)
  for (const message of [text, String(toProtocolError(error))]) expect(message).not.toContain('api.internal')
})

test('the status of a response that is not one of the API is part of its error', async () => {
  const { videos } = new Subtext({
    apiKey: 'sk_x',
    baseUrl: BASE,
    fetch: async () => new Response('', { status: 404 }),
  })
  const error: unknown = await videos.status('job').catch((reason: unknown) => reason)
  expect(JSON.stringify(toErrorResult(error))).toMatch(/status 404.*Check the base URL/)
})

test('an invalid value is reported by the name that the tool gives it', async () => {
  const issues = [
    { path: 'url', message: '`url` is not a URL.', code: 'invalid_video_url' },
    { path: 'options.summary_modes.0', message: '`options.summary_modes.0` is unknown.' },
  ]
  const body = {
    success: false,
    error: { code: 'INVALID_VIDEO_URL', message: issues[0]?.message, details: { issues } },
  }
  const fetch = async () => Response.json({ ...body, meta: {} }, { status: 400 })
  const { videos } = new Subtext({ apiKey: 'sk_x', fetch })
  const error: unknown = await videos.submit({ url: 'x' }).catch((reason: unknown) => reason)
  const [content] = toErrorResult(error).content
  expect(JSON.parse(content?.type === 'text' ? content.text : '')).toMatchObject({
    message: '`video_url` is not a URL.',
    details: {
      issues: [
        { path: 'video_url', message: '`video_url` is not a URL.', code: 'invalid_video_url' },
        { path: 'summary_modes.0', message: '`summary_modes.0` is unknown.' },
      ],
    },
  })
})

test.each([[null], [{ message: 'm' }], [{ path: 5, message: 'm' }], [{ path: 'url' }]])(
  'an error whose issues are not those of the API is reported as it is: %j',
  async (issue) => {
    const details = { issues: [issue] }
    const error = { code: 'VALIDATION_ERROR', message: '`url` is wrong.', details }
    const fetch = async () => Response.json({ success: false, error }, { status: 400 })
    const { videos } = new Subtext({ apiKey: 'sk_x', fetch })
    const reason: unknown = await videos.status('the-job').catch((cause: unknown) => cause)
    const [content] = toErrorResult(reason).content
    const text = content?.type === 'text' ? content.text : ''
    expect(JSON.parse(text)).toMatchObject({ ...error, job_id: 'the-job' })
  },
)
