import { classify } from './classify.ts'
import type { SendOutcome } from './send.ts'

const now = new Date('2026-11-21T12:00:00Z')
const options = { attemptNo: 1, schedule: [10, 100], random: 0.5, now }
const reply = (statusCode: number, retryAfter: string | null = null): SendOutcome => ({
  statusCode,
  retryAfter,
  responseBody: '',
  error: null,
})

describe('classify', () => {
  test.each([200, 202, 204, 299])('treats %i as an acknowledgement', (status) => {
    expect(classify(reply(status), options)).toEqual({ status: 'delivered' })
  })

  test.each([301, 307, 400, 401, 404, 500, 503])('retries after %i', (status) => {
    expect(classify(reply(status), options)).toEqual({ retryInSeconds: 10 })
  })

  test('ends the delivery after 410', () => {
    expect(classify(reply(410), options)).toEqual({ status: 'failed' })
  })

  test('retries after no response until the schedule is used up', () => {
    const silence: SendOutcome = { statusCode: null, retryAfter: null, responseBody: null, error: 'timeout' }
    expect(classify(silence, { ...options, attemptNo: 2 })).toEqual({ retryInSeconds: 100 })
    expect(classify(silence, { ...options, attemptNo: 3 })).toEqual({ status: 'failed' })
  })

  test('varies pauses by a fifth in both directions', () => {
    expect(classify(reply(500), { ...options, random: 0 })).toEqual({ retryInSeconds: 8 })
    expect(classify(reply(500), { ...options, random: 1 })).toEqual({ retryInSeconds: 12 })
  })

  test('honors Retry-After in both formats, up to one day', () => {
    expect(classify(reply(429, '60'), options)).toEqual({ retryInSeconds: 60 })
    expect(classify(reply(503, 'Sat, 21 Nov 2026 12:02:00 GMT'), options)).toEqual({ retryInSeconds: 120 })
    expect(classify(reply(503, '1'), options)).toEqual({ retryInSeconds: 10 })
    expect(classify(reply(503, 'soon'), options)).toEqual({ retryInSeconds: 10 })
    expect(classify(reply(429, '99999999'), options)).toEqual({ retryInSeconds: 86_400 })
    expect(classify(reply(500, '60'), options)).toEqual({ retryInSeconds: 10 })
  })
})
