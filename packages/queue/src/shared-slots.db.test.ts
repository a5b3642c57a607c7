import { setTimeout as sleep } from 'node:timers/promises'
import { testQueue } from '@subtext/queue/testing'
import { createSharedSlots, type ReleaseSlot, type SharedSlots } from './shared-slots.ts'

const signal = new AbortController().signal
const DONE = { kind: 'done' } as const
const THROTTLED = { kind: 'throttled', retryAfterMs: 10 } as const

let opened: SharedSlots[]
beforeEach(() => {
  opened = []
})
afterEach(() => Promise.all(opened.map((slots) => slots.close())))

const open = (queue = testQueue(), terms: Partial<Parameters<typeof createSharedSlots>[0]> = {}): SharedSlots => {
  const slots = createSharedSlots({ ...queue, name: 'test', most: 4, mostAlone: 2, holdMs: 60_000, ...terms })
  opened.push(slots)
  return slots
}
const isWaiting = async (acquiring: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([acquiring.then(() => 'in'), sleep(400)])) !== 'in'

/** Does calls of some milliseconds until `count` are done; the most that were made at once. */
async function measure(processes: SharedSlots[], count: number): Promise<number> {
  let inside = 0
  let most = 0
  const work = async (slots: SharedSlots) => {
    const release = await slots.acquire(signal)
    most = Math.max(most, ++inside)
    await sleep(20)
    inside--
    release(DONE)
  }
  await Promise.all(
    Array.from({ length: count }, (_, index) => work(processes[index % processes.length] as SharedSlots)),
  )
  return most
}

test('processes together never have more slots than there are', async () => {
  const queue = testQueue()
  const most = await measure([open(queue), open(queue), open(queue)], 60)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(4)
})

test('a complaint halves the bound for all, once for those that were under way; calls that are done raise it again', async () => {
  const queue = testQueue()
  const [here, there] = [open(queue), open(queue)]
  const releases = await Promise.all([here, there, here, there].map((slots) => slots.acquire(signal)))
  for (const release of releases) release(THROTTLED)
  const held = [await there.acquire(signal), await here.acquire(signal)]
  const third = there.acquire(signal)
  expect(await isWaiting(third)).toBe(true)
  held[0]?.(DONE)
  const releaseThird = await third
  for (const release of [held[1] as ReleaseSlot, releaseThird]) release(DONE)
  // Ten calls more for each slot that was lost.
  expect(await measure([here, there], 40)).toBe(4)
}, 60_000)

test('numbers: who waits, who is inside, how many may be', async () => {
  const queue = testQueue()
  const slots = open(queue, { most: 2 })
  const releases = [await slots.acquire(signal), await slots.acquire(signal)]
  const third = slots.acquire(signal)
  expect(await slots.read()).toEqual({ waiting: 1, held: 2, bound: 2 })
  releases[0]?.(THROTTLED)
  releases[1]?.(DONE)
  releases[1]?.(DONE) // once is enough
  const releaseThird = await third
  expect(await slots.read()).toEqual({ waiting: 0, held: 1, bound: 1 })
  releaseThird(DONE)
  const controller = new AbortController()
  const last = await slots.acquire(signal)
  const waiting = slots.acquire(controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('cancelled')
  last(DONE)
  expect(await slots.read()).toEqual({ waiting: 0, held: 0, bound: 1 })
})

test('a process that holds slots for a shorter time takes none from one that holds them longer', async () => {
  const queue = testQueue()
  const patient = open(queue, { most: 2 })
  await patient.acquire(signal)
  const release = await open(queue, { most: 2, holdMs: 300 }).acquire(signal)
  await sleep(600)
  release(DONE)
  const second = await patient.acquire(signal)
  expect(await isWaiting(patient.acquire(AbortSignal.timeout(5_000)).catch(() => {}))).toBe(true)
  second(DONE)
})

test('nobody enters before the time that was asked for is over', async () => {
  const queue = testQueue()
  const [here, there] = [open(queue), open(queue)]
  const release = await here.acquire(signal)
  const before = performance.now()
  release({ kind: 'throttled', retryAfterMs: 1_500 })
  await sleep(100) // the answer of Redis to the leaving
  const next = await there.acquire(signal)
  expect(performance.now() - before).toBeGreaterThan(1_400)
  next(DONE)
})

test('the slot of a process that died is free after a while', async () => {
  const queue = testQueue()
  const slots = open(queue, { most: 1, holdMs: 700 })
  await slots.acquire(signal)
  const release = await open(queue, { most: 1 }).acquire(signal)
  release(DONE)
})

test('who waits can be called off, and holds nobody up', async () => {
  const slots = open(testQueue(), { most: 1 })
  const release = await slots.acquire(signal)
  const controller = new AbortController()
  const reason = new Error('cancelled')
  const waiting = slots.acquire(controller.signal)
  const behind = slots.acquire(signal)
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  release(DONE)
  const next = await behind
  next(DONE)
})

test('who is aborts behind others stops waiting at once, and the others keep their places', async () => {
  const slots = open(testQueue(), { most: 1 })
  const release = await slots.acquire(signal)
  const order: string[] = []
  const acquire = async (name: string) => {
    const releaseAgain = await slots.acquire(signal)
    order.push(name)
    releaseAgain(DONE)
  }
  const first = acquire('first')
  const controller = new AbortController()
  const reason = new Error('cancelled')
  const called = slots.acquire(controller.signal)
  const second = acquire('second')
  const third = acquire('third')
  controller.abort(reason)
  const outcome = await Promise.race([called.catch((error) => error), sleep(5_000, 'still in line', { ref: false })])
  expect(outcome).toBe(reason)
  expect(await slots.read()).toMatchObject({ waiting: 3, held: 1 })
  const tooLate = slots.acquire(controller.signal)
  expect(await Promise.race([tooLate.catch((error) => error), sleep(5_000, 'still in line', { ref: false })])).toBe(
    reason,
  )
  expect(order).toEqual([])
  release(DONE)
  await Promise.all([first, second, third])
  expect(order).toEqual(['first', 'second', 'third'])
  expect(await slots.read()).toMatchObject({ waiting: 0, held: 0 })
})

test('without Redis a process keeps to a bound of its own, by the same rules', async () => {
  const slots = open({ url: 'redis://127.0.0.1:9', prefix: 'nowhere' })
  expect(await measure([slots], 12)).toBe(2)
  const release = await slots.acquire(signal)
  expect(await slots.read()).toEqual({ waiting: 0, held: 1, bound: 2 })
  release(THROTTLED)
  const held = await slots.acquire(signal)
  const second = slots.acquire(signal)
  expect(await isWaiting(second)).toBe(true)
  held(DONE)
  const last = await second
  last(DONE)
})
