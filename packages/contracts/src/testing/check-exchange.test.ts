import { buildOpenApi, following, type RouteShape, videos } from '@subtext/contracts'
import { createExchangeChecker, type Exchange } from './check-exchange.ts'

const check = createExchangeChecker(
  buildOpenApi(
    [videos, following].flatMap((table): RouteShape[] => Object.values(table)),
    'http://127.0.0.1',
  ),
)

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'request-1',
  ...{
    'x-ratelimit-limit': '60',
    'x-ratelimit-used': '1',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': '1767229200',
  },
}
const META = { request_id: 'request-1', timestamp: '2026-01-01T00:00:00.000Z', version: 'v1' }
const ACCEPTED = {
  job_id: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11',
  status: 'queued',
  video_id: 'dQw4w9WgXcQ',
  video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  priority: 'normal',
  status_url: 'https://api.example.org/status',
  result_url: 'https://api.example.org/result',
  created_at: '2026-01-01T00:00:00.000Z',
}
const refusal = (code: string, more: object = {}) => ({
  success: false,
  error: { code, message: 'No.', retryable: false, docs_url: 'https://x/', ...more },
  meta: META,
})

const exchange = (changes: Partial<Omit<Exchange, 'body'>> & { body?: unknown } = {}): Exchange => {
  const { body = { success: true, data: ACCEPTED, meta: META }, ...terms } = changes
  return {
    ...{ method: 'POST', target: '/api/v1/videos/process', status: 202, headers: HEADERS },
    ...terms,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}
const without = (name: string) => Object.fromEntries(Object.entries(HEADERS).filter(([each]) => each !== name))
const result = { method: 'GET', target: '/api/v1/videos/result/x', status: 200 }

test.each<[string, Exchange]>([
  ['a success', exchange()],
  ['a path in another case with a slash and a query', exchange({ target: '/API/v1/Videos/Process/?a=/b' })],
  [
    'a refusal with its details',
    exchange({ status: 413, body: refusal('PAYLOAD_TOO_LARGE', { details: { limit_bytes: 1 } }) }),
  ],
  ['one of several codes', exchange({ status: 400, body: refusal('INVALID_JSON') })],
  [
    'a document',
    exchange({ ...result, headers: { ...HEADERS, 'content-type': 'text/markdown; charset=utf-8' }, body: '# x' }),
  ],
  ['a HEAD without a body', exchange({ ...result, method: 'HEAD', body: '' })],
  ['an unknown path', exchange({ target: '/api/v1/nothing', status: 404, body: refusal('NOT_FOUND') })],
  ['a page', exchange({ method: 'GET', target: '/api/v1/docs/errors', status: 200, body: '<p>' })],
  [
    'another method',
    exchange({
      method: 'PUT',
      status: 405,
      headers: { ...HEADERS, allow: 'POST' },
      body: refusal('METHOD_NOT_ALLOWED'),
    }),
  ],
])('%s is in the document', (_, answer) => {
  expect(check(answer)).toEqual([])
})

test.each<[string, Exchange, RegExp]>([
  ['a status', exchange({ status: 418 }), /418 is not a status of submitVideo/],
  ['a code', exchange({ status: 422, body: refusal('JOB_CANCELLED') }), /const|tag/],
  ['one of no code among several', exchange({ status: 400, body: refusal('NOT_FOUND') }), /tag/],
  ['a field', exchange({ body: { success: true, data: { ...ACCEPTED, more: 1 }, meta: META } }), /additional.*more/],
  ['a field within an error', exchange({ status: 400, body: refusal('INVALID_JSON', { details: {} }) }), /additional/],
  ['missing details', exchange({ status: 413, body: refusal('PAYLOAD_TOO_LARGE') }), /details/],
  ['a type', exchange({ body: { success: true, data: { ...ACCEPTED, status: 'lost' }, meta: META } }), /status/],
  ['a media type', exchange({ headers: { ...HEADERS, 'content-type': 'text/html' } }), /text\/html/],
  ['a header', exchange({ headers: { ...HEADERS, 'x-internal': '1' } }), /x-internal/],
  ['a missing header', exchange({ headers: without('x-ratelimit-used') }), /no X-RateLimit-Used/],
  ['a header of another type', exchange({ headers: { ...HEADERS, 'x-ratelimit-used': 'many' } }), /many/],
  ['429 without Retry-After', exchange({ status: 429, body: refusal('RATE_LIMITED') }), /no Retry-After/],
  ['what is no JSON', exchange({ body: '<html>' }), /object/],
  ['an unknown path without the envelope', exchange({ target: '/api/v1/x', status: 404, body: 'no' }), /envelope/],
  ['a success where nothing is', exchange({ target: '/api/v1/x' }), /envelope/],
  ['405 without Allow', exchange({ method: 'PUT', status: 405, body: refusal('METHOD_NOT_ALLOWED') }), /Allow/],
])('%s that is not in the document is found', (_, answer, fault) => {
  expect(check(answer).join('\n')).toMatch(fault)
})

test('events are checked one by one', () => {
  const summary = { job_id: ACCEPTED.job_id, mode: 'tldr', text: 'x', model: 'extractive' }
  const stream = (...events: [name: string, data: object][]) =>
    exchange({
      ...{ method: 'GET', target: '/api/v1/videos/events/x', status: 200 },
      headers: { ...HEADERS, 'content-type': 'text/event-stream' },
      body: [
        'retry: 2000\n\n:\n\n',
        ...events.map(([name, data]) => `event: ${name}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`),
      ].join(''),
    })
  expect(check(stream(['summary', summary]))).toEqual([])
  expect(check(stream(['summary', summary], ['summary', { ...summary, mode: 'poem' }]))).toEqual([
    expect.stringMatching(/mode/),
  ])
  expect(check(stream(['end', summary]))).toHaveLength(1)
})
