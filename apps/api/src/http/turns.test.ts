import { jest } from '@jest/globals'
import { createTurns } from './turns.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('runs each member once in the interval, the groups one after the other', () => {
  const runs: string[][] = []
  const turns = createTurns<string>({ everyMs: 900, count: 3 }, (members) => runs.push([...members]))
  for (const member of 'abcde') turns.add(member)
  jest.advanceTimersByTime(900)
  expect(runs).toEqual([['a', 'd'], ['b', 'e'], ['c']])
  jest.advanceTimersByTime(1_800)
  expect(runs.slice(3)).toEqual([...runs.slice(0, 3), ...runs.slice(0, 3)])
})

test('stops the timer when the last member is deleted, and starts it again with the next', () => {
  const run = jest.fn()
  const turns = createTurns<string>({ everyMs: 900, count: 3 }, run)
  turns.add('a')
  turns.add('b')
  turns.delete('a')
  turns.delete('a')
  expect(jest.getTimerCount()).toBe(1)
  turns.delete('b')
  expect(jest.getTimerCount()).toBe(0)
  jest.advanceTimersByTime(900)
  expect(run).not.toHaveBeenCalled()
  turns.add('c')
  jest.advanceTimersByTime(900)
  expect(run).toHaveBeenCalledTimes(1)
})
