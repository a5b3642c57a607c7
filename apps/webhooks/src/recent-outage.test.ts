import { createRecentOutage } from './recent-outage.ts'

const READ_ONLY = Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' })

test('lasts from the first failure until some time after the first success', () => {
  let now = 0
  const outage = createRecentOutage(5_000, () => now)
  expect(outage.isOver()).toBe(true)
  outage.note(null)
  expect(outage.isOver()).toBe(true)
  outage.note(READ_ONLY)
  now = 60_000
  expect(outage.isOver()).toBe(false)
  outage.note(null)
  now += 2_000
  outage.note(null)
  now += 2_999
  expect(outage.isOver()).toBe(false)
  now += 1
  expect(outage.isOver()).toBe(true)
})

test('does not begin with an error of another kind', () => {
  const outage = createRecentOutage(5_000, () => 0)
  outage.note(new Error('a bug'))
  expect(outage.isOver()).toBe(true)
})
