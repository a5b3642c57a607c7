import {
  AnthropicError,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  type APIError as ApiErrorType,
} from '@anthropic-ai/sdk'
import { classifyFailure } from './classify-failure.ts'

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
])('status %i', (status, retryable) => {
  expect(classifyFailure(httpError(status), NOW)).toMatchObject({ retryable, soon: retryable })
})

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '20', 'retry-after': '7' }, 20],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{}, null],
])('wait of %j', (headers, retryAfterMs) => {
  expect(classifyFailure(httpError(429, headers as Record<string, string>), NOW)?.retryAfterMs).toBe(retryAfterMs)
})

test('the provider can say that trying at once is in vain', () => {
  expect(classifyFailure(httpError(529, { 'x-should-retry': 'false' }), NOW)).toMatchObject({
    retryable: true,
    soon: false,
  })
})

test.each([
  [httpError(429), true],
  [httpError(529), true],
  [streamError('overloaded_error'), true],
  [httpError(500), false],
  [httpError(429, {}, 'enforced_spend_limit_reached'), false],
  [new APIConnectionTimeoutError(), false],
])('%s: fewer calls at once: %s', (error, isThrottled) => {
  expect(classifyFailure(error, NOW)?.isThrottled).toBe(isThrottled)
})

test('a spending limit does not pass by itself', () => {
  expect(classifyFailure(httpError(429, {}, 'enforced_spend_limit_reached'), NOW)?.retryable).toBe(false)
})

test.each([
  ['overloaded_error', true],
  ['api_error', true],
  ['rate_limit_error', true],
  [undefined, true],
  ['invalid_request_error', false],
  ['authentication_error', false],
])('an error of type %s within a stream', (type, retryable) => {
  expect(classifyFailure(streamError(type), NOW)).toMatchObject({ retryable, soon: retryable, retryAfterMs: null })
})

test('failures of the connection', () => {
  expect(classifyFailure(new APIConnectionError({}), NOW)).toMatchObject({ retryable: true, soon: true })
  expect(classifyFailure(new APIConnectionTimeoutError(), NOW)).toMatchObject({ retryable: true, soon: false })
  expect(classifyFailure(new AnthropicError('request ended'), NOW)).toMatchObject({ retryable: true, soon: true })
  expect(classifyFailure(new TypeError('a mistake of ours'), NOW)).toBeNull()
})
