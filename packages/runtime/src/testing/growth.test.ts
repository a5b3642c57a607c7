import { measureGrowth } from './growth.ts'

const spin = (steps: number): void => {
  let sum = 0
  for (let step = 0; step < steps; step++) sum += step % 7
  expect(sum).toBeGreaterThan(0)
}

test('the growth of linear work is about 1, that of quadratic work about the ratio of the sizes', async () => {
  const sizes = { small: 2_000, large: 16_000 }
  expect(await measureGrowth((size) => spin(size * 500), sizes)).toBeLessThan(3)
  expect(await measureGrowth((size) => spin((size * size) / 4), sizes)).toBeGreaterThan(5)
})
