import { setImmediate as nextTurn } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { type BatcherOptions, createBatcher } from './batcher.ts'

let batches: string[][]
let endBatches: (() => void)[]
beforeEach(() => {
  batches = []
  endBatches = []
})

/** Records the batch and answers in capitals. */
const capitalize: BatcherOptions<string, string>['run'] = async (items) => {
  batches.push(items)
  return items.map((item) => item.toUpperCase())
}
/** Works like `capitalize`, once its end has been called. */
const capitalizeLater: typeof capitalize = async (items) => {
  const outcomes = capitalize(items)
  await new Promise<void>((resolve) => endBatches.push(resolve))
  return outcomes
}
const outcomesOf = async (outcomes: Promise<string>[]) =>
  (await Promise.allSettled(outcomes)).map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
  )

test('handles items of the same turn of the event loop in one batch, and the next ones in another', async () => {
  const batch = createBatcher({ run: capitalize, max: 10 })
  const first = Promise.all([batch('a'), Promise.resolve().then(() => batch('b'))])
  await nextTurn()
  expect(await Promise.all([first, batch('c')])).toEqual([['A', 'B'], 'C'])
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('gathers items for as long as it is told', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  try {
    const batch = createBatcher({ run: capitalize, gatherMs: 20, max: 10 })
    const first = batch('a')
    jest.advanceTimersByTime(19)
    await nextTurn()
    const second = batch('b')
    expect(batches).toEqual([])
    jest.advanceTimersByTime(1)
    expect(await Promise.all([first, second])).toEqual(['A', 'B'])
    expect(batches).toEqual([['a', 'b']])
  } finally {
    jest.useRealTimers()
  }
})

test('splits what exceeds the maximum, and never runs more batches at once than it may', async () => {
  const batch = createBatcher({ run: capitalizeLater, parallel: 2, max: 2 })
  const outcomes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(batch)
  await nextTurn()
  const begun = [
    ['a', 'b'],
    ['c', 'd'],
  ]
  expect(batches).toEqual(begun)
  outcomes.push(batch('h'))
  await nextTurn()
  expect(batches).toEqual(begun)
  for (let ended = 0; ended < 4; ended++) {
    endBatches[ended]?.()
    await nextTurn()
  }
  expect(await Promise.all(outcomes)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'])
  expect(batches).toEqual([...begun, ['e', 'f'], ['g', 'h']])
})

test('starts a batch that waited for another as soon as that one ends, even if it failed', async () => {
  const run: typeof capitalize = async (items) => {
    if (items.includes('bad')) throw new Error('refused')
    return capitalize(items)
  }
  const batch = createBatcher({ run, parallel: 1, max: 1 })
  expect(await outcomesOf(['bad', 'a', 'bad', 'b'].map(batch))).toEqual(['refused', 'A', 'refused', 'B'])
})

test('tries each item of a refused batch alone, so that only the one that caused the refusal fails', async () => {
  const run: typeof capitalize = async (items) => {
    const outcomes = await capitalize(items)
    if (items.includes('bad')) throw new Error('refused')
    return outcomes
  }
  const batch = createBatcher({ run, max: 10 })
  expect(await outcomesOf(['a', 'bad', 'b'].map(batch))).toEqual(['A', 'refused', 'B'])
  expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']])
})

test('fails all items of a batch while the database is unavailable, without trying them again', async () => {
  const run: typeof capitalize = async (items) => {
    batches.push(items)
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  }
  const batch = createBatcher({ run, max: 10 })
  expect(await outcomesOf(['a', 'b'].map(batch))).toEqual(['away', 'away'])
  expect(batches).toEqual([['a', 'b']])
})

test('fails only the items whose outcome is an error', async () => {
  const run = async (items: string[]) => items.map((item) => (item === 'bad' ? new Error('no') : item))
  const batch = createBatcher<string, string>({ run, max: 10 })
  expect(await outcomesOf(['a', 'bad'].map(batch))).toEqual(['a', 'no'])
})
