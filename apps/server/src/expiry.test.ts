import { parseExpiry } from './expiry.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const endOf = (duration?: string, time?: string): string | undefined => {
  const parsed = parseExpiry(duration, time)
  return 'fault' in parsed ? parsed.fault : parsed.expiresAt(NOW)?.toISOString()
}

describe('parseExpiry', () => {
  test.each([
    ['30m', '2026-11-21T12:30:00.000Z'],
    ['12h', '2026-11-22T00:00:00.000Z'],
    ['90d', '2027-02-19T12:00:00.000Z'],
    ['4w', '2026-12-19T12:00:00.000Z'],
    ['999999w', '9999-01-01T00:00:00.000Z'],
  ])('in %s', (duration, end) => {
    expect(endOf(duration)).toBe(end)
  })

  test.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
  ])('at %s', (time, end) => {
    expect(endOf(undefined, time)).toBe(end)
  })

  test('never, when nothing is said', () => {
    expect(endOf()).toBeUndefined()
  })

  test.each(['', '90', 'd', '0d', '-1d', '1.5d', '90 d', '90y', '9999999d'])('not in %j', (duration) => {
    expect(endOf(duration)).toContain('--expires-in')
  })

  test.each(['', 'tomorrow', '2027-02-30', '2027-13-01', '31.01.2027', '2027-01-31T12:00:00', '1800000000'])(
    'not at %j',
    (time) => {
      expect(endOf(undefined, time)).toContain('--expires-at')
    },
  )

  test('not both', () => {
    expect(endOf('90d', '2027-01-31')).toBe('Either --expires-in or --expires-at.')
  })
})
