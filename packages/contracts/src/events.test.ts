import { describeSchedule } from './events.ts'

test.each([
  ['5s', '5 s'],
  ['5s,5m', '5 s and 5 min'],
  ['5s,5m,30min,2h', '5 s, 5 min, 30 min and 2 h'],
])('describeSchedule writes %s as "%s"', (schedule, text) => {
  expect(describeSchedule(schedule)).toBe(text)
})
