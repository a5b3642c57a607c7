import { endsWithin } from './ends-within.ts'

const LONG_MS = 600_000
const never = () => new Promise<never>(() => {})

test('returns whether work has ended, successfully or not', async () => {
  expect(await endsWithin(LONG_MS, Promise.resolve('done'))).toBe(true)
  expect(await endsWithin(LONG_MS, Promise.reject(new Error('failed')))).toBe(true)
  expect(await endsWithin(1, never())).toBe(false)
})

test('prefers the end of work over a time that is up', async () => {
  expect(await endsWithin(0, Promise.resolve())).toBe(true)
})
