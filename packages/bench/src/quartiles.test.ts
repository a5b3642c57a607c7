import { median, quartiles } from './quartiles.ts'

test('interpolates quartiles between the nearest values, in any order', () => {
  expect(quartiles([5, 1, 3, 2, 4])).toEqual({ low: 2, median: 3, high: 4 })
  expect(quartiles([4, 1, 3, 2])).toEqual({ low: 1.75, median: 2.5, high: 3.25 })
  expect(median([7])).toBe(7)
  expect(median([])).toBeNaN()
})
