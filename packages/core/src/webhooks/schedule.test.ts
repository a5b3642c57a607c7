import { nextDelay } from './schedule.ts'

describe('nextDelay', () => {
  const schedule = [5, 300]

  test('follows the schedule from the first attempt to its end', () => {
    expect(nextDelay(schedule, 1, 0.5)).toBe(5)
    expect(nextDelay(schedule, 2, 0.5)).toBe(300)
    expect(nextDelay(schedule, 3, 0.5)).toBeNull()
    expect(nextDelay([], 1, 0.5)).toBeNull()
  })

  test('has a jitter of 20% either way', () => {
    expect(nextDelay(schedule, 2, 0)).toBeCloseTo(240)
    expect(nextDelay(schedule, 2, 0.25)).toBeCloseTo(270)
    expect(nextDelay(schedule, 2, 1)).toBeCloseTo(360)
  })
})
