import { formatCount, formatMoment, formatUsd, selectLocale } from './format.ts'

test('a browser in English keeps its form of it, and any other gets English, with its digits', () => {
  expect(['en', 'en-GB', 'en-IN'].map(selectLocale)).toEqual(['en', 'en-GB', 'en-IN'])
  expect(['de-DE', 'ar-EG', 'enm'].map(selectLocale)).toEqual(['en', 'en', 'en'])
})

test('one thing is not in the plural, any other number is', () => {
  expect([0, 1, 2].map((count) => formatCount(count, 'video'))).toEqual(['0 videos', '1 video', '2 videos'])
  expect(formatCount(2, 'match', 'matches')).toBe('2 matches')
})

test('amounts get as many digits as the one that sets the scale', () => {
  expect([0, 0.0298, 1.5].map((amount) => formatUsd(amount, 0.0298))).toEqual(['$0.0000', '$0.0298', '$1.5000'])
  expect(formatUsd(0, Number.POSITIVE_INFINITY)).toBe('$0.00')
})

test('a time in a list is relative within an hour, and then exact to the minute, with the day and the year if they differ', () => {
  const now = new Date(2031, 4, 2, 15, 0)
  const format = (...time: [number, number, number, number, number]): string =>
    formatMoment(new Date(...time).toISOString(), now.getTime())
  expect(format(2031, 4, 2, 14, 55)).toBe('5 minutes ago')
  expect(format(2031, 4, 2, 13, 5)).toMatch(/^0?1:05\sPM$|^13:05$/)
  expect(format(2031, 4, 1, 13, 5)).toMatch(/May.* 1:05\sPM$|May.* 13:05$/)
  expect(format(2031, 4, 1, 13, 5)).not.toContain('2031')
  expect(format(2030, 4, 2, 15, 0)).toContain('2030')
})
