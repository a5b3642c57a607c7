import {
  AnthropicError,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  type APIError as ApiErrorType,
} from '@anthropic-ai/sdk'
import { classifyFailure, isPromptTooLong } from './classify-failure.ts'
import { IdleTimeoutError } from './watch-streams.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')

const httpError = (status: number, headers: Record<string, string> = {}, errorCode?: string): ApiErrorType =>
  APIError.generate(
    status,
    { type: 'error', error: { type: 'x', message: 'm', details: { error_code: errorCode } } },
    undefined,
    new Headers(headers),
  )
const streamError = (type: string | undefined) =>
  new APIError(undefined, { error: { type } }, undefined, new Headers({ 'retry-after': '30' }), type as never)

test.each([
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [503, true],
  [529, true],
  [400, false],
  [401, false],
  [402, false],
  [403, false],
  [404, false],
  [413, false],
  [422, false],
])('classifies status %i (retryable: %s)', (status, retryable) => {
  expect(classifyFailure(httpError(status), NOW)).toMatchObject({ retryable, retryNow: retryable })
})

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '20', 'retry-after': '7' }, 20],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '-7' }, null],
  // A wait of zero counts as none: our own backoff applies.
  [{ 'retry-after': '0' }, null],
  [{ 'retry-after-ms': '', 'retry-after': '7' }, 7_000],
  [{ 'retry-after-ms': 'NaN', 'retry-after': '7' }, 7_000],
  [{ 'retry-after-ms': 'Infinity' }, null],
  [{ 'retry-after-ms': '9'.repeat(400) }, 3_600_000],
  [{ 'retry-after': '9'.repeat(30) }, 3_600_000],
  [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 3_600_000],
  [{}, null],
])('reads a wait from the headers %j', (headers, retryAfterMs) => {
  expect(classifyFailure(httpError(429, headers as Record<string, string>), NOW)?.retryAfterMs).toBe(retryAfterMs)
})

test('does not retry right away when the provider says so', () => {
  expect(classifyFailure(httpError(529, { 'x-should-retry': 'false' }), NOW)).toMatchObject({
    retryable: true,
    retryNow: false,
  })
})

test('retries a rejected request when the provider says so', () => {
  expect(classifyFailure(httpError(400, { 'x-should-retry': 'true', 'retry-after': '3' }), NOW)).toMatchObject({
    retryable: true,
    retryNow: true,
    retryAfterMs: 3_000,
  })
})

test.each([
  [httpError(429), true],
  [httpError(529), true],
  [streamError('overloaded_error'), true],
  [httpError(500), false],
  [httpError(429, {}, 'enforced_spend_limit_reached'), false],
  [new APIConnectionTimeoutError(), false],
])('treats %s as throttling: %s', (error, isThrottled) => {
  expect(classifyFailure(error, NOW)?.isThrottled).toBe(isThrottled)
})

test('does not retry after a spend limit', () => {
  expect(classifyFailure(httpError(429, {}, 'enforced_spend_limit_reached'), NOW)?.retryable).toBe(false)
})

test.each([
  ['overloaded_error', true],
  ['api_error', true],
  ['rate_limit_error', true],
  ['timeout_error', true],
  ['conflict_error', true],
  [undefined, true],
  // What vLLM and others call a failure of their own.
  ['internal_error', true],
  ['InternalServerError', true],
  ['server_error', true],
  ['invalid_request_error', false],
  ['BadRequestError', false],
  ['authentication_error', false],
])('classifies an error of type %s within a stream (retryable: %s)', (type, retryable) => {
  expect(classifyFailure(streamError(type), NOW)).toMatchObject({ retryable, retryNow: retryable, retryAfterMs: null })
})

test('classifies failures of the connection', () => {
  expect(classifyFailure(new APIConnectionError({}), NOW)).toMatchObject({ retryable: true, retryNow: true })
  expect(classifyFailure(new APIConnectionTimeoutError(), NOW)).toMatchObject({ retryable: true, retryNow: false })
  expect(classifyFailure(new AnthropicError('request ended'), NOW)).toMatchObject({ retryable: true, retryNow: true })
  expect(classifyFailure(new TypeError('a bug of ours'), NOW)).toBeNull()
})

const refusal = (status: number, message: string, type = 'invalid_request_error') =>
  APIError.generate(status, { type: 'error', error: { type, message } }, undefined, new Headers())
const within = (type: string, message: string) =>
  new APIError(undefined, { error: { type, message } }, undefined, new Headers(), type as never)

test.each([
  [httpError(429), 'throttled'],
  [httpError(529), 'overloaded'],
  [refusal(503, 'm', 'overloaded_error'), 'overloaded'],
  [httpError(500), 'provider_error'],
  [httpError(504), 'provider_error'],
  [httpError(499), 'provider_error'],
  [httpError(401), 'unauthorized'],
  [httpError(403), 'unauthorized'],
  [httpError(402), 'billing'],
  [httpError(429, {}, 'contract_spend_limit_reached'), 'billing'],
  [httpError(429, {}, 'ramp_limit_exceeded'), 'throttled'],
  [refusal(400, 'Your credit balance is too low to access the Anthropic API.'), 'billing'],
  [refusal(400, 'You have reached your specified API usage limits. You will regain access on 2026-12-01.'), 'billing'],
  [httpError(404), 'not_found'],
  [httpError(400), 'rejected'],
  [httpError(413), 'rejected'],
  [within('billing_error', 'm'), 'billing'],
  [within('permission_error', 'm'), 'unauthorized'],
  [within('something_new_error', 'm'), 'provider_error'],
  [new APIConnectionTimeoutError(), 'timeout'],
  [new IdleTimeoutError(), 'stalled'],
  [new APIConnectionError({ cause: new TypeError('terminated') }), 'network'],
  // The body of an answer ended by an abort that we did not request.
  [new APIUserAbortError(), 'malformed'],
  [Object.assign(new AnthropicError('m'), { cause: new SyntaxError('Unexpected token') }), 'malformed'],
  [new AnthropicError('stream ended without producing a Message with role=assistant'), 'malformed'],
])('classifies %s as %s', (error, kind) => {
  const needsOperator = ['unauthorized', 'billing', 'not_found'].includes(kind)
  expect(classifyFailure(error, NOW)).toMatchObject({ kind, needsOperator })
})

test.each([
  [httpError(413), true],
  [refusal(400, 'prompt is too long: 210000 tokens > 200000 maximum'), true],
  [within('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'), true],
  [refusal(400, 'messages: at least one message is required'), false],
  [refusal(500, 'prompt is too long', 'api_error'), false],
  [new Error('prompt is too long'), false],
])('decides whether %s is about a prompt that is too long: %s', (error, expected) => {
  expect(isPromptTooLong(error)).toBe(expected)
})
