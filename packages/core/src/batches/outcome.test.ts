import { batchOutcome } from './outcome.ts'

test.each([
  [1, 0, 'completed'],
  [100, 0, 'completed'],
  [0, 1, 'failed'],
  [0, 100, 'failed'],
  [1, 1, 'partial_failure'],
  [99, 1, 'partial_failure'],
  [1, 99, 'partial_failure'],
])('with %d completed and %d failed jobs, the outcome is %s', (succeeded, failed, outcome) => {
  expect(batchOutcome({ succeeded, failed })).toBe(outcome)
})
