import { schedule } from './schedule.ts'

test.each([
  ['5s', [5]],
  ['5s,5m,30m,2h,5h,10h,14h,20h,24h', [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]],
  [' 1s , 2min ', [1, 120]],
  ['0s', [0]],
  ['8784h', [31_622_400]],
])('parses %j', (text, seconds) => {
  expect(schedule.parse(text)).toEqual(seconds)
})

test.each(['', ',', '5', '5s,', '5s,,5m', '-5s', '1.5s', '5 s', '5d', 's', '5sm', '5s;5m', '1e3s', 'NaNs'])(
  'refuses %j',
  (text) => {
    expect(schedule.safeParse(text).error?.issues[0]?.message).toContain('Must be a list of durations')
  },
)

test.each(['8785h', '5s,99999999999999999h'])('refuses %j, which is too long', (text) => {
  expect(schedule.safeParse(text).error?.issues[0]?.message).toBe('Must not exceed a year (8784h).')
})
