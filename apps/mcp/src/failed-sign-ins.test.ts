import { createFailureCount } from './failed-sign-ins.ts'

test('counts the failures of a network in an hour', () => {
  let now = 0
  const count = createFailureCount(2, () => now)
  expect([count('192.0.2.1'), count('::ffff:192.0.2.1'), count('192.0.2.1')]).toEqual([null, null, 3_600])
  expect(count('192.0.2.2')).toBeNull()
  expect([count('2001:db8::1'), count('2001:db8::2'), count('2001:db8::3')]).toEqual([null, null, 3_600])
  now = 3_599_500
  expect(count('192.0.2.1')).toBe(1)
  now = 3_600_000
  expect(count('192.0.2.1')).toBeNull()
})

test('remembers ten thousand networks', () => {
  const count = createFailureCount(1)
  count('198.51.100.1')
  for (let at = 0; at < 10_000; at++) count(`10.0.${at >> 8}.${at & 255}`)
  expect(count('198.51.100.1')).toBeNull()
})
