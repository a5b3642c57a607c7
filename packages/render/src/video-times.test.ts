import { buildWatchUrl, formatClock } from './video-times.ts'

test.each([
  [0, '0:00'],
  [5_999, '0:05'],
  [754_000, '12:34'],
  [3_599_999, '59:59'],
  [3_600_000, '1:00:00'],
  [36_061_000, '10:01:01'],
  [-1, '0:00'],
])('formats %d ms as %s', (ms, clock) => {
  expect(formatClock(ms)).toBe(clock)
})

test('builds URLs with whole seconds and an escaped ID', () => {
  expect(buildWatchUrl('a-_B')).toBe('https://www.youtube.com/watch?v=a-_B')
  expect(buildWatchUrl('a', 754_900)).toBe('https://www.youtube.com/watch?v=a&t=754s')
  expect(buildWatchUrl('a) [x](b&c')).toBe('https://www.youtube.com/watch?v=a%29%20%5Bx%5D%28b%26c')
})
