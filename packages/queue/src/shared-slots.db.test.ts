import { setTimeout as sleep } from 'node:timers/promises'
import { testQueue } from '@subtext/queue/testing'
import { createSharedSlots, type LeaveSlot, type SharedSlots } from './shared-slots.ts'

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
const isWaiting = async (entering: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([entering.then(() => 'in'), sleep(400)])) !== 'in'

/** Does calls of some milliseconds until `count` are done; the most that were made at once. */
async function measure(processes: SharedSlots[], count: number): Promise<number> {
  let inside = 0
  let most = 0
  const work = async (slots: SharedSlots) => {
    const leave = await slots.enter(signal)
    most = Math.max(most, ++inside)
    await sleep(20)
    inside--
    leave(DONE)
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
  const leaves = await Promise.all([here, there, here, there].map((slots) => slots.enter(signal)))
  for (const leave of leaves) leave(THROTTLED)
  const held = [await there.enter(signal), await here.enter(signal)]
  const third = there.enter(signal)
  expect(await isWaiting(third)).toBe(true)
  held[0]?.(DONE)
  const leaveThird = await third
  for (const leave of [held[1] as LeaveSlot, leaveThird]) leave(DONE)
  // Ten calls more for each slot that was lost.
  expect(await measure([here, there], 40)).toBe(4)
}, 60_000)

test('numbers: who waits, who is inside, how many may be', async () => {
  const queue = testQueue()
  const slots = open(queue, { most: 2 })
  const leaves = [await slots.enter(signal), await slots.enter(signal)]
  const third = slots.enter(signal)
  expect(await slots.read()).toEqual({ waiting: 1, held: 2, bound: 2 })
  leaves[0]?.(THROTTLED)
  leaves[1]?.(DONE)
  leaves[1]?.(DONE) // once is enough
  const leaveThird = await third
  expect(await slots.read()).toEqual({ waiting: 0, held: 1, bound: 1 })
  leaveThird(DONE)
  const controller = new AbortController()
  const last = await slots.enter(signal)
  const waiting = slots.enter(controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('cancelled')
  last(DONE)
  expect(await slots.read()).toEqual({ waiting: 0, held: 0, bound: 1 })
})

test('a process that holds slots for a shorter time takes none from one that holds them longer', async () => {
  const queue = testQueue()
  const patient = open(queue, { most: 2 })
  await patient.enter(signal)
  const leave = await open(queue, { most: 2, holdMs: 300 }).enter(signal)
  await sleep(600)
  leave(DONE)
  const second = await patient.enter(signal)
  expect(await isWaiting(patient.enter(AbortSignal.timeout(5_000)).catch(() => {}))).toBe(true)
  second(DONE)
})

test('nobody enters before the time that was asked for is over', async () => {
  const queue = testQueue()
  const [here, there] = [open(queue), open(queue)]
  const leave = await here.enter(signal)
  const before = performance.now()
  leave({ kind: 'throttled', retryAfterMs: 1_500 })
  await sleep(100) // the answer of Redis to the leaving
  const next = await there.enter(signal)
  expect(performance.now() - before).toBeGreaterThan(1_400)
  next(DONE)
})

test('the slot of a process that died is free after a while', async () => {
  const queue = testQueue()
  const slots = open(queue, { most: 1, holdMs: 700 })
  await slots.enter(signal)
  const leave = await open(queue, { most: 1 }).enter(signal)
  leave(DONE)
})

test('who waits can be called off, and holds nobody up', async () => {
  const slots = open(testQueue(), { most: 1 })
  const leave = await slots.enter(signal)
  const controller = new AbortController()
  const reason = new Error('cancelled')
  const waiting = slots.enter(controller.signal)
  const behind = slots.enter(signal)
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  leave(DONE)
  const next = await behind
  next(DONE)
})

test('who is called off behind others leaves at once, and nobody loses his place by it', async () => {
  const slots = open(testQueue(), { most: 1 })
  const leave = await slots.enter(signal)
  const order: string[] = []
  const enter = async (name: string) => {
    const leaveAgain = await slots.enter(signal)
    order.push(name)
    leaveAgain(DONE)
  }
  const first = enter('first')
  const controller = new AbortController()
  const reason = new Error('cancelled')
  const called = slots.enter(controller.signal)
  const second = enter('second')
  const third = enter('third')
  controller.abort(reason)
  const outcome = await Promise.race([called.catch((error) => error), sleep(5_000, 'still in line', { ref: false })])
  expect(outcome).toBe(reason)
  expect(await slots.read()).toMatchObject({ waiting: 3, held: 1 })
  const tooLate = slots.enter(controller.signal)
  expect(await Promise.race([tooLate.catch((error) => error), sleep(5_000, 'still in line', { ref: false })])).toBe(
    reason,
  )
  expect(order).toEqual([])
  leave(DONE)
  await Promise.all([first, second, third])
  expect(order).toEqual(['first', 'second', 'third'])
  expect(await slots.read()).toMatchObject({ waiting: 0, held: 0 })
})

test('without Redis a process keeps to a bound of its own, by the same rules', async () => {
  const slots = open({ url: 'redis://127.0.0.1:9', prefix: 'nowhere' })
  expect(await measure([slots], 12)).toBe(2)
  const leave = await slots.enter(signal)
  expect(await slots.read()).toEqual({ waiting: 0, held: 1, bound: 2 })
  leave(THROTTLED)
  const held = await slots.enter(signal)
  const second = slots.enter(signal)
  expect(await isWaiting(second)).toBe(true)
  held(DONE)
  const last = await second
  last(DONE)
})
