import { classify } from './classify.ts'
import type { SendOutcome } from './send.ts'

const now = new Date('2026-11-21T12:00:00Z')
const terms = { attemptNo: 1, schedule: [10, 100], random: 0.5, now }
const answer = (statusCode: number, retryAfter: string | null = null): SendOutcome => ({
  statusCode,
  retryAfter,
  error: null,
})

describe('classify', () => {
  test.each([200, 202, 204, 299])('%i acknowledges', (status) => {
    expect(classify(answer(status), terms)).toEqual({ status: 'delivered' })
  })

  test.each([301, 307, 400, 401, 404, 500, 503])('%i is tried again', (status) => {
    expect(classify(answer(status), terms)).toEqual({ retryInSeconds: 10 })
  })

  test('410 ends at once', () => {
    expect(classify(answer(410), terms)).toEqual({ status: 'failed' })
  })

  test('no answer is tried again until the schedule is used up', () => {
    const silence: SendOutcome = { statusCode: null, retryAfter: null, error: 'timeout' }
    expect(classify(silence, { ...terms, attemptNo: 2 })).toEqual({ retryInSeconds: 100 })
    expect(classify(silence, { ...terms, attemptNo: 3 })).toEqual({ status: 'failed' })
  })

  test('jitter is a fifth either way', () => {
    expect(classify(answer(500), { ...terms, random: 0 })).toEqual({ retryInSeconds: 8 })
    expect(classify(answer(500), { ...terms, random: 1 })).toEqual({ retryInSeconds: 12 })
  })

  test('Retry-After is honoured in both forms, within a day', () => {
    expect(classify(answer(429, '60'), terms)).toEqual({ retryInSeconds: 60 })
    expect(classify(answer(503, 'Sat, 21 Nov 2026 12:02:00 GMT'), terms)).toEqual({ retryInSeconds: 120 })
    expect(classify(answer(503, '1'), terms)).toEqual({ retryInSeconds: 10 })
    expect(classify(answer(503, 'soon'), terms)).toEqual({ retryInSeconds: 10 })
    expect(classify(answer(429, '99999999'), terms)).toEqual({ retryInSeconds: 86_400 })
    expect(classify(answer(500, '60'), terms)).toEqual({ retryInSeconds: 10 })
  })
})
