import { parseExpiry } from './expiry.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const expiryOf = (duration?: string, time?: string): string | undefined => {
  const parsed = parseExpiry(duration, time)
  return 'error' in parsed ? parsed.error : parsed.expiresAt(NOW)?.toISOString()
}

describe('parseExpiry', () => {
  test.each([
    ['30m', '2026-11-21T12:30:00.000Z'],
    ['12h', '2026-11-22T00:00:00.000Z'],
    ['90d', '2027-02-19T12:00:00.000Z'],
    ['4w', '2026-12-19T12:00:00.000Z'],
    ['999999w', '9999-01-01T00:00:00.000Z'],
  ])('adds the duration %s', (duration, end) => {
    expect(expiryOf(duration)).toBe(end)
  })

  test.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
  ])('takes the time %s', (time, end) => {
    expect(expiryOf(undefined, time)).toBe(end)
  })

  test('lets a key without an expiry live for ever', () => {
    expect(expiryOf()).toBeUndefined()
  })

  test.each(['', '90', 'd', '0d', '-1d', '1.5d', '90 d', '90y', '9999999d'])('refuses the duration %j', (duration) => {
    expect(expiryOf(duration)).toContain('--expires-in')
  })

  test.each(['', 'tomorrow', '2027-02-30', '2027-13-01', '31.01.2027', '2027-01-31T12:00:00', '1800000000'])(
    'refuses the time %j',
    (time) => {
      expect(expiryOf(undefined, time)).toContain('--expires-at')
    },
  )

  test('refuses a duration together with a time', () => {
    expect(expiryOf('90d', '2027-01-31')).toBe('Use either --expires-in or --expires-at, not both.')
  })
})
