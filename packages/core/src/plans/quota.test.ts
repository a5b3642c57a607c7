import { quotaExceeded, quotaPeriods, quotaResets } from './quota.ts'

describe.each([
  ['an ordinary day', '2026-11-21T12:00:00.000Z', '2026-11-21', '2026-11-01', '2026-11-22', '2026-12-01'],
  ['the first moment of a day', '2026-11-21T00:00:00.000Z', '2026-11-21', '2026-11-01', '2026-11-22', '2026-12-01'],
  ['the last moment of a month', '2026-11-30T23:59:59.999Z', '2026-11-30', '2026-11-01', '2026-12-01', '2026-12-01'],
  ['the end of a long month', '2026-01-31T12:00:00.000Z', '2026-01-31', '2026-01-01', '2026-02-01', '2026-02-01'],
  ['the end of a year', '2026-12-31T23:59:59.999Z', '2026-12-31', '2026-12-01', '2027-01-01', '2027-01-01'],
  ['the day before a leap day', '2028-02-28T12:00:00.000Z', '2028-02-28', '2028-02-01', '2028-02-29', '2028-03-01'],
  ['a leap day', '2028-02-29T12:00:00.000Z', '2028-02-29', '2028-02-01', '2028-03-01', '2028-03-01'],
  ['28 February in a common year', '2027-02-28T12:00:00.000Z', '2027-02-28', '2027-02-01', '2027-03-01', '2027-03-01'],
  [
    'a change to daylight saving time',
    '2026-03-29T01:30:00.000Z',
    '2026-03-29',
    '2026-03-01',
    '2026-03-30',
    '2026-04-01',
  ],
])('%s', (_, now, day, month, nextDay, nextMonth) => {
  test('belongs to a UTC day and month that end at midnight UTC', () => {
    expect(quotaPeriods(new Date(now))).toEqual({ day, month })
    expect(quotaResets(new Date(now))).toEqual({ day: new Date(nextDay), month: new Date(nextMonth) })
  })
})

describe('quotaExceeded', () => {
  const now = new Date('2026-11-21T18:00:00.500Z')
  const refuse = (usedDay: number | null, usedMonth: number | null) =>
    quotaExceeded({ daily: 10, monthly: 50 }, { usedDay, usedMonth }, now)

  test('names the daily quota if only that one is used up', () => {
    const error = refuse(10, 12)
    expect([error.code, error.status, error.retryable]).toEqual(['QUOTA_EXCEEDED', 429, true])
    expect(error.details).toEqual({ quota: 'daily', limit: 10, used: 10, reset_at: '2026-11-22T00:00:00.000Z' })
    expect(error.retryAfterSeconds).toBe(6 * 3_600)
  })

  test.each([
    ['it alone is', 3, 50],
    ['both are', 10, 50],
  ])('names the monthly quota, which blocks for longer, if %s used up', (_, day, month) => {
    const error = refuse(day, month)
    expect(error.details).toEqual({ quota: 'monthly', limit: 50, used: 50, reset_at: '2026-12-01T00:00:00.000Z' })
    expect(error.retryAfterSeconds).toBe((9 * 24 + 6) * 3_600)
  })

  test.each([
    ['exceeds what is left of the day', 3, 8, 4, 'daily', true],
    ['also exceeds what is left of the month', 8, 8, 45, 'monthly', true],
    ['is larger than the daily quota', 11, 0, 0, 'daily', false],
    ['is larger than the daily quota in a month that is used up', 11, 0, 50, 'daily', false],
  ])('refuses a batch that %s', (_, videos, usedDay, usedMonth, quota, retryable) => {
    const outcome = { usedDay, usedMonth }
    const error = quotaExceeded({ daily: 10, monthly: 50 }, outcome, now, videos)
    expect(error.retryable).toBe(retryable)
    expect(error.details).toMatchObject({ quota, requested: videos, used: quota === 'daily' ? usedDay : usedMonth })
    expect(error.retryAfterSeconds).toBeGreaterThan(0)
  })

  test('reports no usage if the first batch is larger than the quota', () => {
    const outcome = { accepted: false, usedDay: null, usedMonth: null }
    const { details } = quotaExceeded({ daily: 10, monthly: 50 }, outcome, now, 11)
    expect(details).toMatchObject({ quota: 'daily', limit: 10, used: 0, requested: 11 })
  })

  test('never reports more usage than the limit, as after a move to a smaller plan', () => {
    expect(refuse(25, 30).details).toMatchObject({ quota: 'daily', used: 10 })
    expect(refuse(25, 90).details).toMatchObject({ quota: 'monthly', used: 50 })
  })

  test('asks the caller to wait at least one second', () => {
    const outcome = { accepted: false, usedDay: 10, usedMonth: 0 }
    const late = quotaExceeded({ daily: 10, monthly: 50 }, outcome, new Date('2026-11-21T23:59:59.999Z'))
    expect(late.retryAfterSeconds).toBe(1)
  })
})
