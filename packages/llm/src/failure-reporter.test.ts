import { APIError } from '@anthropic-ai/sdk'
import { classifyFailure } from './anthropic/classify-failure.ts'
import { describeFailure } from './anthropic/describe-failure.ts'
import { createFailureReporter } from './failure-reporter.ts'
import { ModelCallError } from './failures.ts'

const SECRET = 'what was said in the video'

const failureOf = (status: number, headers: Record<string, string> = {}, type = 'api_error') => {
  const error = APIError.generate(
    status,
    { type: 'error', error: { type, message: SECRET, details: { error_code: 'some_code' } } },
    undefined,
    new Headers({ 'request-id': 'req_1', ...headers }),
  )
  const failure = classifyFailure(error, 0)
  if (!failure) throw new Error('no failure')
  return { failure, details: describeFailure(failure.kind, error) }
}

function createRecorder() {
  const lines: [string, string, object | undefined][] = []
  let now = 0
  const log = {
    warn: (message: string, fields?: object) => void lines.push(['warn', message, fields]),
    error: (message: string, fields?: object) => void lines.push(['error', message, fields]),
  }
  const report = createFailureReporter(log, () => now)
  return { lines, report, passTime: (ms: number) => (now += ms) }
}

test('logs every failure that may pass, without any message of the provider', () => {
  const { lines, report } = createRecorder()
  const { failure, details } = failureOf(529, {}, 'overloaded_error')
  report(failure, details)
  report(failure, details)
  const fields = {
    outcome: 'overloaded',
    status: 529,
    type: 'overloaded_error',
    code: 'some_code',
    provider_request_id: 'req_1',
  }
  expect(lines).toEqual([
    ['warn', 'model call failed', fields],
    ['warn', 'model call failed', fields],
  ])
  expect(new ModelCallError(details).message).toBe(
    'Model call failed: overloaded, 529, overloaded_error, some_code, req_1.',
  )
})

test.each([401, 402, 403, 404])('logs a %i as an error at most once a minute', (status) => {
  const { lines, report, passTime } = createRecorder()
  const { failure, details } = failureOf(status, {}, 'x')
  for (const ms of [0, 30_000, 29_999]) {
    passTime(ms)
    report(failure, details)
  }
  expect(lines).toEqual([['error', 'model unusable', expect.objectContaining({ status, outcome: failure.kind })]])
  passTime(1)
  report(failure, details)
  expect(lines).toHaveLength(2)
})

test('leaves out values that do not look like names', () => {
  const { details } = failureOf(500, { 'request-id': `x ${SECRET}` }, SECRET)
  expect(details).toEqual({ outcome: 'provider_error', status: 500, code: 'some_code' })
  expect(new ModelCallError(details).message).toBe('Model call failed: provider_error, 500, some_code.')
  const broken = Object.assign(new Error(SECRET), { cause: Object.assign(new Error(SECRET), { code: 'ECONNRESET' }) })
  expect(describeFailure('network', broken)).toEqual({ outcome: 'network', code: 'ECONNRESET' })
})
