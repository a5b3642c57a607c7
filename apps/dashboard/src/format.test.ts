import { formatCount, formatUsd, selectLocale } from './format.ts'

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
