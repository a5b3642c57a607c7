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
  'x-ratelimit-limit': '60',
  'x-ratelimit-used': '1',
  'x-ratelimit-remaining': '59',
  'x-ratelimit-reset': '1767229200',
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
const errorBody = (code: string, more: object = {}) => ({
  success: false,
  error: { code, message: 'No.', retryable: false, docs_url: 'https://x/', ...more },
  meta: META,
})

const exchange = (changes: Partial<Omit<Exchange, 'body'>> & { body?: unknown } = {}): Exchange => {
  const { body = { success: true, data: ACCEPTED, meta: META }, ...rest } = changes
  return {
    method: 'POST',
    target: '/api/v1/videos/process',
    status: 202,
    headers: HEADERS,
    ...rest,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}
const without = (name: string) => Object.fromEntries(Object.entries(HEADERS).filter(([each]) => each !== name))
const result = { method: 'GET', target: '/api/v1/videos/result/x', status: 200 }

test.each<[string, Exchange]>([
  ['a successful response', exchange()],
  ['a path in another case, with a trailing slash and a query', exchange({ target: '/API/v1/Videos/Process/?a=/b' })],
  [
    'an error with its details',
    exchange({ status: 413, body: errorBody('PAYLOAD_TOO_LARGE', { details: { limit_bytes: 1 } }) }),
  ],
  ['an error with one of several codes', exchange({ status: 400, body: errorBody('INVALID_JSON') })],
  [
    'a document',
    exchange({ ...result, headers: { ...HEADERS, 'content-type': 'text/markdown; charset=utf-8' }, body: '# x' }),
  ],
  ['a HEAD without a body', exchange({ ...result, method: 'HEAD', body: '' })],
  ['an unknown path', exchange({ target: '/api/v1/nothing', status: 404, body: errorBody('NOT_FOUND') })],
  ['a page of the documentation', exchange({ method: 'GET', target: '/api/v1/docs/errors', status: 200, body: '<p>' })],
  [
    'an error for another method',
    exchange({
      method: 'PUT',
      status: 405,
      headers: { ...HEADERS, allow: 'POST' },
      body: errorBody('METHOD_NOT_ALLOWED'),
    }),
  ],
])('accepts %s', (_, response) => {
  expect(check(response)).toEqual([])
})

test.each<[string, Exchange, RegExp]>([
  ['an undescribed status', exchange({ status: 418 }), /418 is not a status of submitVideo/],
  ['an undescribed code', exchange({ status: 422, body: errorBody('JOB_CANCELLED') }), /const|tag/],
  ['a code that is not among several described ones', exchange({ status: 400, body: errorBody('NOT_FOUND') }), /tag/],
  [
    'an undescribed field',
    exchange({ body: { success: true, data: { ...ACCEPTED, more: 1 }, meta: META } }),
    /additional.*more/,
  ],
  [
    'an undescribed field of an error',
    exchange({ status: 400, body: errorBody('INVALID_JSON', { details: {} }) }),
    /additional/,
  ],
  ['missing details', exchange({ status: 413, body: errorBody('PAYLOAD_TOO_LARGE') }), /details/],
  [
    'an invalid value',
    exchange({ body: { success: true, data: { ...ACCEPTED, status: 'lost' }, meta: META } }),
    /status/,
  ],
  ['an undescribed media type', exchange({ headers: { ...HEADERS, 'content-type': 'text/html' } }), /text\/html/],
  ['an undescribed header', exchange({ headers: { ...HEADERS, 'x-internal': '1' } }), /x-internal/],
  ['a missing header', exchange({ headers: without('x-ratelimit-used') }), /no X-RateLimit-Used/],
  ['a header of the wrong type', exchange({ headers: { ...HEADERS, 'x-ratelimit-used': 'many' } }), /many/],
  ['a 429 without Retry-After', exchange({ status: 429, body: errorBody('RATE_LIMITED') }), /no Retry-After/],
  ['a body that is not JSON', exchange({ body: '<html>' }), /object/],
  ['an unknown path without an error envelope', exchange({ target: '/api/v1/x', status: 404, body: 'no' }), /envelope/],
  ['a successful response for an unknown path', exchange({ target: '/api/v1/x' }), /envelope/],
  ['a 405 without Allow', exchange({ method: 'PUT', status: 405, body: errorBody('METHOD_NOT_ALLOWED') }), /Allow/],
])('reports %s', (_, response, fault) => {
  expect(check(response).join('\n')).toMatch(fault)
})

test('checks the events of a stream one by one', () => {
  const summary = { job_id: ACCEPTED.job_id, mode: 'tldr', text: 'x', model: 'extractive' }
  const stream = (...events: [name: string, data: object][]) =>
    exchange({
      method: 'GET',
      target: '/api/v1/videos/events/x',
      status: 200,
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
