import { APIError } from '@anthropic-ai/sdk'
import { classifyFailure } from './classify-failure.ts'
import { createFailureReporter, describeFailure, ModelCallError } from './report-failures.ts'

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
  return { failure, facts: describeFailure(failure.kind, error) }
}

function record() {
  const lines: [string, string, object | undefined][] = []
  let now = 0
  const log = {
    warn: (message: string, fields?: object) => void lines.push(['warn', message, fields]),
    error: (message: string, fields?: object) => void lines.push(['error', message, fields]),
  }
  const report = createFailureReporter(log, () => now)
  return { lines, report, pass: (ms: number) => (now += ms) }
}

test('a failure that passes is told each time, without what was said', () => {
  const { lines, report } = record()
  const { failure, facts } = failureOf(529, {}, 'overloaded_error')
  report(failure, facts)
  report(failure, facts)
  const told = {
    ...{ outcome: 'overloaded', status: 529, type: 'overloaded_error' },
    ...{ code: 'some_code', provider_request_id: 'req_1' },
  }
  expect(lines).toEqual([
    ['warn', 'model call failed', told],
    ['warn', 'model call failed', told],
  ])
  expect(new ModelCallError(facts).message).toBe(
    'The call of the model failed: overloaded, 529, overloaded_error, some_code, req_1.',
  )
})

test.each([401, 402, 403, 404])('%i is an error, told once a minute', (status) => {
  const { lines, report, pass } = record()
  const { failure, facts } = failureOf(status, {}, 'x')
  for (const ms of [0, 30_000, 29_999]) {
    pass(ms)
    report(failure, facts)
  }
  expect(lines).toEqual([['error', 'model unusable', expect.objectContaining({ status, outcome: failure.kind })]])
  pass(1)
  report(failure, facts)
  expect(lines).toHaveLength(2)
})

test('names that are none are left out', () => {
  const { facts } = failureOf(500, { 'request-id': `x ${SECRET}` }, SECRET)
  expect(facts).toEqual({ outcome: 'provider_error', status: 500, code: 'some_code' })
  const broken = Object.assign(new Error(SECRET), { cause: Object.assign(new Error(SECRET), { code: 'ECONNRESET' }) })
  expect(describeFailure('network', broken)).toEqual({ outcome: 'network', code: 'ECONNRESET' })
})
