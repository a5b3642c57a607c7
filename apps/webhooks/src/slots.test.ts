import { waitUntil } from '@subtext/embedded/testing'
import { createSlots, type SlotOptions } from './slots.ts'

const MEGABYTE = 1024 * 1024
const attempt = (pace: 'quick' | 'slow' | 'new') => ({ body: Buffer.alloc(1_000), pace })
const QUICK = attempt('quick')
let freed: number
const open = (options: Partial<SlotOptions> = {}) => {
  freed = 0
  return createSlots({
    concurrency: 4,
    detachAfterMs: 60_000,
    maxBytes: 64 * MEGABYTE,
    onFree: () => freed++,
    ...options,
  })
}

test('every attempt takes a slot and releases it once', () => {
  const slots = open()
  const releases = [slots.take(QUICK), slots.take(QUICK)]
  expect(slots.capacity().all).toEqual({ slots: 2, bytes: 64 * MEGABYTE - 2_000, calm: true })
  for (const release of releases) release()
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE, calm: true })
  expect(freed).toBe(2)
})

test('an attempt without a prompt response releases its slot, but not its bytes', async () => {
  const slots = open({ detachAfterMs: 20 })
  const release = slots.take(QUICK)
  await waitUntil('a slot is released', () => freed > 0)
  expect(freed).toBe(1)
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE - 1_000, calm: true })
  release()
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE, calm: true })
})

test('the number of attempts without a slot is limited', async () => {
  const slots = open({ concurrency: 1, detachAfterMs: 0 })
  const releases = Array.from({ length: 11 }, () => slots.take(QUICK))
  await waitUntil('all slots are released', () => freed >= 11)
  expect(slots.capacity().all.slots).toBe(0)
  for (const release of releases) release()
  expect(slots.capacity().all.slots).toBe(1)
})

test('reports that it is not calm while much memory is in use', () => {
  const slots = open({ maxBytes: 3_000 })
  slots.take(QUICK)
  expect(slots.capacity().all).toMatchObject({ bytes: 2_000, calm: false })
})

test('new receivers get half of the attempts and bytes, and slow ones a quarter', () => {
  const slots = open()
  expect(slots.capacity().new).toEqual({ slots: 22, bytes: 32 * MEGABYTE, calm: true })
  expect(slots.capacity().slow).toEqual({ slots: 11, bytes: 16 * MEGABYTE, calm: true })
  slots.take(attempt('slow'))
  slots.take(QUICK)
  const release = slots.take(attempt('new'))
  expect(slots.capacity().slow).toEqual({ slots: 10, bytes: 16 * MEGABYTE - 1_000, calm: true })
  expect(slots.capacity().new).toEqual({ slots: 21, bytes: 32 * MEGABYTE - 1_000, calm: true })
  expect(slots.capacity().all.slots).toBe(1)
  release()
  expect(slots.capacity().new).toEqual({ slots: 22, bytes: 32 * MEGABYTE, calm: true })
})
