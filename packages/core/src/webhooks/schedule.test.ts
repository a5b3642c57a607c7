import { nextDelay, parseSchedule } from './schedule.ts'

describe('parseSchedule', () => {
  test.each([
    ['5s', [5]],
    ['5s,5m,30m,2h,5h,10h,14h,20h,24h', [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]],
    [' 1s , 2min ', [1, 120]],
    ['0s', [0]],
  ])('parses %j', (text, seconds) => {
    expect(parseSchedule(text)).toEqual(seconds)
  })

  test.each(['', ',', '5', '5s,', '5s,,5m', '-5s', '1.5s', '5 s', '5d', 's', '5sm', '5s;5m', '1e3s', 'NaNs'])(
    'refuses %j',
    (text) => {
      expect(parseSchedule(text)).toBeNull()
    },
  )
})

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
