import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { createSlots, type DeliveryPlace, type SlotOptions, type Slots } from './slots.ts'

const MEGABYTE = 1024 * 1024
const attempt = (pace: 'quick' | 'slow' | 'new') => ({ body: Buffer.alloc(1_000), pace })
const QUICK = attempt('quick')
let freed: number
const open = (options: Partial<SlotOptions> = {}) => {
  freed = 0
  return createSlots({
    concurrency: 4,
    detachAfterMs: 60_000,
    promptMs: 60_000,
    maxBytes: 64 * MEGABYTE,
    onFree: () => freed++,
    ...options,
  })
}

/** Takes a place and begins the attempt. */
const begin = async (slots: Slots, attempt = QUICK): Promise<DeliveryPlace> => {
  const place = slots.take(attempt)
  await place.waitForSlot()
  return place
}
test('every attempt takes a slot and releases it once', async () => {
  const slots = open()
  const places = [await begin(slots), await begin(slots)]
  expect(slots.use()).toEqual({ busy: 2, free: 2 })
  expect(slots.capacity().all).toEqual({ slots: 2, bytes: 64 * MEGABYTE - 2_000, calm: true })
  for (const place of places) {
    place.attemptEnded()
    place.leave()
  }
  slots.claimBegins()
  expect(slots.use()).toEqual({ busy: 0, free: 4 })
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE, calm: true })
  expect(freed).toBe(2)
})

test('an attempt without a prompt response releases its slot, but not its bytes', async () => {
  const slots = open({ detachAfterMs: 20 })
  const place = await begin(slots)
  await waitUntil('a slot is released', () => freed > 0)
  expect(freed).toBe(1)
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE - 1_000, calm: true })
  place.leave()
  expect(slots.capacity().all).toEqual({ slots: 4, bytes: 64 * MEGABYTE, calm: true })
})

test('the number of attempts without a slot is limited', async () => {
  const slots = open({ concurrency: 1, detachAfterMs: 0 })
  const places = []
  for (let count = 0; count < 11; count++) places.push(await begin(slots))
  await waitUntil('all slots are released', () => freed >= 11)
  expect(slots.capacity().all.slots).toBe(0)
  for (const place of places) place.leave()
  expect(slots.capacity().all.slots).toBe(1)
})

test('an attempt waits for a slot, which the outcome of another releases before it is recorded', async () => {
  const slots = open({ concurrency: 1 })
  const first = await begin(slots)
  let hasBegun = false
  const second = slots.take(QUICK)
  const begun = second.waitForSlot().then(() => {
    hasBegun = true
  })
  await setImmediate()
  expect(hasBegun).toBe(false)
  expect(slots.use()).toEqual({ busy: 1, free: 0 })
  first.attemptEnded()
  await begun
  first.leave()
  expect(slots.use()).toEqual({ busy: 1, free: 0 })
  second.leave()
  expect(slots.use()).toEqual({ busy: 0, free: 1 })
})

test('an outcome that is recorded slowly does not count against the capacity', async () => {
  const slots = open({ detachAfterMs: 20 })
  const place = await begin(slots)
  place.attemptEnded()
  slots.claimBegins()
  expect(slots.capacity().all.slots).toBe(3)
  await waitUntil('it no longer counts', () => freed > 0)
  expect(slots.capacity().all.slots).toBe(4)
  place.leave()
  expect(slots.capacity().all.slots).toBe(4)
})

test('a claim may take as many deliveries more as have ended promptly since the one before', async () => {
  const slots = open()
  const deliver = async (count: number): Promise<void> => {
    for (let nth = 0; nth < count; nth++) {
      const place = await begin(slots)
      place.attemptEnded()
      place.leave()
    }
  }
  await deliver(3)
  expect(slots.capacity().all.slots).toBe(4 + 3)
  slots.claimBegins()
  expect(slots.capacity().all.slots).toBe(4)
  await deliver(50)
  expect(slots.capacity().all.slots).toBe(4 + 4)
  const claimed = Array.from({ length: 8 }, () => slots.take(QUICK))
  expect(slots.capacity().all.slots).toBe(0)
  expect(slots.use()).toEqual({ busy: 4, free: 0 })
  for (const place of claimed) {
    await place.waitForSlot()
    place.leave()
  }
})

test('slow and new receivers together get no more places than there are slots, whatever quick ones have', async () => {
  const slots = open({ detachAfterMs: 20 })
  for (let count = 0; count < 6; count++) slots.take(QUICK)
  expect(slots.capacity().unproven.slots).toBe(4)
  slots.take(attempt('slow'))
  expect(slots.capacity().unproven.slots).toBe(3)
  const next = open({ detachAfterMs: 20 })
  const place = await begin(next, attempt('new'))
  await waitUntil('it is detached', () => freed > 0)
  expect(next.capacity().unproven.slots).toBe(4)
  place.leave()
  expect(next.capacity().unproven.slots).toBe(4)
})

test('an attempt that takes a while lets no delivery be claimed in advance', async () => {
  const slots = open({ promptMs: 10 })
  const place = await begin(slots)
  await sleep(20)
  place.attemptEnded()
  place.leave()
  expect(slots.capacity().all.slots).toBe(4)
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
  const place = slots.take(attempt('new'))
  expect(slots.capacity().slow).toEqual({ slots: 10, bytes: 16 * MEGABYTE - 1_000, calm: true })
  expect(slots.capacity().new).toEqual({ slots: 21, bytes: 32 * MEGABYTE - 1_000, calm: true })
  expect(slots.capacity().all.slots).toBe(1)
  place.leave()
  expect(slots.capacity().new).toEqual({ slots: 22, bytes: 32 * MEGABYTE, calm: true })
})
