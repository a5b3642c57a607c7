import { setTimeout as sleep } from 'node:timers/promises'
import { measureGrowth } from './growth.ts'

const SIZES = { small: 2_000, large: 16_000 }

/** Measures work whose cost in microseconds is known; `delay` returns what the nth piece of work costs in addition. */
function measureCost(costOf: (size: number) => number, delay = (_nth: number): number => 0): Promise<number> {
  let [spentUs, nth] = [0, 0]
  const work = (size: number): void => {
    spentUs += costOf(size) + delay(nth++)
  }
  return measureGrowth(work, SIZES, undefined, () => spentUs)
}

test('the growth of linear work is 1, that of quadratic work the ratio of the sizes', async () => {
  expect(await measureCost((size) => size)).toBe(1)
  expect(await measureCost((size) => size * size)).toBe(8)
})

test('a round that is disturbed does not count', async () => {
  expect(await measureCost(Number, (nth) => (nth < 4 ? 1_000_000 : 0))).toBe(1)
})

test('work that is too short to be measured at the small size has no growth', async () => {
  expect(await measureCost((size) => (size === SIZES.small ? 1 : 1_000))).toBeLessThan(1)
})

test('counts CPU time, so that waiting costs nothing', async () => {
  expect(await measureGrowth((size) => sleep(size), { small: 1, large: 100 })).toBeLessThan(0.5)
})
