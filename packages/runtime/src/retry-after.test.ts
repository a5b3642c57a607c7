import { parseRetryAfter } from './retry-after.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')

test.each([
  ['7', 7],
  [' 7 ', 7],
  ['0.5', 0.5],
  ['Fri, 20 Nov 2026 10:01:00 GMT', 60],
  ['Fri, 20 Nov 2026 09:00:00 GMT', null],
  ['0', null],
  ['-7', null],
  ['soon', null],
  ['Infinity', null],
  ['', null],
  [null, null],
  [undefined, null],
])('parseRetryAfter reads %p', (header, seconds) => {
  expect(parseRetryAfter(header, NOW)).toBe(seconds)
})
