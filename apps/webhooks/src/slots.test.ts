import { setTimeout as sleep } from 'node:timers/promises'
import { createSlots } from './slots.ts'

const MEGABYTE = 1024 * 1024
const attempt = (pace: 'quick' | 'slow' | 'new') => ({ body: Buffer.alloc(1_000), pace })
const QUICK = attempt('quick')
let freed: number
const open = (terms: Partial<Parameters<typeof createSlots>[0]> = {}) => {
  freed = 0
  return createSlots({
    concurrency: 4,
    detachAfterMs: 60_000,
    maxBytes: 64 * MEGABYTE,
    onFree: () => freed++,
    ...terms,
  })
}

test('every attempt takes a slot and gives it back once', () => {
  const slots = open()
  const leave = [slots.take(QUICK), slots.take(QUICK)]
  expect(slots.capacity().all).toEqual({ slots: 2, bytes: 64 * MEGABYTE - 2_000, calm: true })
  for (const end of leave) end()
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE, calm: true })
  expect(freed).toBe(2)
})

test('one that is not answered at once steps aside, with its bytes', async () => {
  const slots = open({ detachAfterMs: 20 })
  const leave = slots.take(QUICK)
  await sleep(100)
  expect(freed).toBe(1)
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE - 1_000, calm: true })
  leave()
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE, calm: true })
})

test('however many step aside, there is an end to it', async () => {
  const slots = open({ concurrency: 1, detachAfterMs: 0 })
  const leave = Array.from({ length: 11 }, () => slots.take(QUICK))
  await sleep(50)
  expect(slots.capacity().all.slots).toBe(0)
  for (const end of leave) end()
  expect(slots.capacity().all.slots).toBe(1)
})

test('much under way is no calm', () => {
  const slots = open({ maxBytes: 3_000 })
  slots.take(QUICK)
  expect(slots.capacity().all).toMatchObject({ bytes: 2_000, calm: false })
})

test('new receivers have half of the places and of the bytes, slow ones a quarter', () => {
  const slots = open()
  expect(slots.capacity().new).toEqual({ slots: 22, bytes: 32 * MEGABYTE, calm: true })
  expect(slots.capacity().slow).toEqual({ slots: 11, bytes: 16 * MEGABYTE, calm: true })
  slots.take(attempt('slow'))
  slots.take(QUICK)
  const leave = slots.take(attempt('new'))
  expect(slots.capacity().slow).toEqual({ slots: 10, bytes: 16 * MEGABYTE - 1_000, calm: true })
  expect(slots.capacity().new).toEqual({ slots: 21, bytes: 32 * MEGABYTE - 1_000, calm: true })
  expect(slots.capacity().all.slots).toBe(1)
  leave()
  expect(slots.capacity().new).toEqual({ slots: 22, bytes: 32 * MEGABYTE, calm: true })
})
