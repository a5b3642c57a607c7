import { describeNetworkError } from './describe-network-error.ts'

const failure = (message: string, fields: object = {}, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), fields)

test.each([
  [failure('connect ECONNREFUSED 10.0.0.1:5432', { code: 'ECONNREFUSED' }), 'connection refused'],
  [failure('', { code: 'ECONNREFUSED', errors: [] }), 'connection refused'],
  [failure('fetch failed', {}, failure('getaddrinfo ENOTFOUND x', { code: 'ENOTFOUND' })), 'unknown host name'],
  [failure('timeout expired'), 'no answer in time'],
  [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), 'no answer in time'],
  [failure('password authentication failed', { code: '28P01' }), 'password authentication failed'],
  [failure('', { code: 'EWEIRD' }), 'EWEIRD'],
  [undefined, 'unknown reason'],
])('describes %s as %p', (error, reason) => {
  expect(describeNetworkError(error)).toBe(reason)
})
