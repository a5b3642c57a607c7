import { parseExpiryDuration, parseExpiryTime } from './expiry.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')

test.each([
  ['30m', '2026-11-21T12:30:00.000Z'],
  ['12h', '2026-11-22T00:00:00.000Z'],
  ['90d', '2027-02-19T12:00:00.000Z'],
  ['4w', '2026-12-19T12:00:00.000Z'],
  ['999999w', '9999-01-01T00:00:00.000Z'],
])('adds the duration %s', (duration, end) => {
  expect(parseExpiryDuration(duration)?.(NOW).toISOString()).toBe(end)
})

test.each([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
])('takes the time %s', (time, end) => {
  expect(parseExpiryTime(time)?.(NOW).toISOString()).toBe(end)
})

test.each(['', '90', 'd', '0d', '-1d', '1.5d', '90 d', '90y', '9999999d'])('refuses the duration %j', (duration) => {
  expect(parseExpiryDuration(duration)).toBeUndefined()
})

test.each(['', 'tomorrow', '2027-02-30', '2027-13-01', '31.01.2027', '2027-01-31T12:00:00', '1800000000'])(
  'refuses the time %j',
  (time) => {
    expect(parseExpiryTime(time)).toBeUndefined()
  },
)
