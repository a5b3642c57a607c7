import { ERROR_CODES, ServiceError } from '@subtext/contracts'
import { type PauseOptions, retryDelay, waitDelay } from './retry-policy.ts'
import { toServiceError } from './to-service-error.ts'

const SCHEDULE = [2, 10, 30]

describe('retryDelay', () => {
  test('follows the schedule until it is used up', () => {
    const error = new ServiceError('UPSTREAM_BLOCKED')
    expect([1, 2, 3, 4, 9].map((attempts) => retryDelay(error, attempts, SCHEDULE))).toEqual([2, 10, 30, null, null])
    expect(retryDelay(error, 1, [])).toBeNull()
  })

  test('retries only errors that may go away while a job can wait', () => {
    const retried = ERROR_CODES.filter((code) => retryDelay(new ServiceError(code), 1, SCHEDULE) !== null)
    expect(retried.sort()).toEqual([
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
      'SUMMARY_UNAVAILABLE',
      'UPSTREAM_BLOCKED',
      'UPSTREAM_UNAVAILABLE',
    ])
  })

  test('waits as long as the error asks, up to a limit and never less than the schedule', () => {
    const asking = (retryAfterSeconds: number) => new ServiceError('UPSTREAM_BLOCKED', { retryAfterSeconds })
    expect([1, 20, 9_999].map((seconds) => retryDelay(asking(seconds), 2, SCHEDULE))).toEqual([10, 20, 300])
    expect(retryDelay(asking(20), 4, SCHEDULE)).toBeNull()
  })

  test('does not retry an error that says it is not retryable', () => {
    expect(retryDelay(new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false }), 1, SCHEDULE)).toBeNull()
  })
})

describe('waitDelay', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)
  const wait = (retryInSeconds: number, waitedSeconds: number | null, options: Partial<PauseOptions> = {}) =>
    waitDelay({ waitingSince: waitedSeconds === null ? null : after(-waitedSeconds) }, after(retryInSeconds), {
      maxSeconds: 3_600,
      now,
      random: 0,
      ...options,
    })

  test('lasts until the platform may be asked, and at least a second', () => {
    expect([wait(60, null), wait(900, 100), wait(0, null), wait(-30, null)]).toEqual([60, 900, 1, 1])
  })

  test('is spread, so that jobs that wait for the same moment do not all come back at once', () => {
    expect(wait(60, null, { random: 0.5 })).toBeCloseTo(66)
    expect(wait(60, null, { random: 0.999 })).toBeLessThan(72)
  })

  test('ends with the time that a job may wait', () => {
    expect([wait(900, 3_000), wait(900, 3_599), wait(900, 3_600), wait(900, 9_999)]).toEqual([600, 1, null, null])
    expect(wait(60, null, { maxSeconds: 0 })).toBeNull()
  })
})

test('toServiceError keeps errors that may be shown and hides all others', () => {
  const shown = new ServiceError('LIVE_NOT_ENDED')
  expect(toServiceError(shown)).toBe(shown)
  const hidden = toServiceError(new TypeError('at db.internal:5432'))
  expect(hidden).toMatchObject({ code: 'INTERNAL_ERROR', cause: expect.any(TypeError) })
  expect(hidden.message).not.toContain('5432')
  expect(toServiceError('text').code).toBe('INTERNAL_ERROR')
})
