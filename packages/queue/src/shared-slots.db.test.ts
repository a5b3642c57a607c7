import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { at } from '@subtext/runtime'
import { connectRedis, type QueueOptions } from './connection.ts'
import { createSharedSlots, type SharedSlots } from './shared-slots.ts'

const signal = new AbortController().signal
const DONE = { kind: 'done' } as const
const THROTTLED = { kind: 'throttled', retryAfterMs: 10 } as const
const DEFAULTS = { name: 'test', maxSlots: 4, maxSlotsWithoutRedis: 2 }

let opened: SharedSlots[]
beforeEach(() => {
  opened = []
})
afterEach(() => Promise.all(opened.map((slots) => slots.close())))

const open = (
  queue: Pick<QueueOptions, 'url' | 'prefix'> = testQueue(),
  overrides: Partial<Parameters<typeof createSharedSlots>[0]> = {},
): SharedSlots => {
  const slots = createSharedSlots({ ...queue, ...DEFAULTS, ...overrides })
  opened.push(slots)
  return slots
}
const isWaiting = async (acquiring: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([acquiring.then(() => 'in'), sleep(400)])) !== 'in'

/** Makes `count` calls per process, each of a few milliseconds. Returns the maximum number of calls at once. */
async function measure(processes: SharedSlots[], count: number): Promise<number> {
  let running = 0
  let max = 0
  const call = async (slots: SharedSlots) => {
    const release = await slots.acquire(signal)
    max = Math.max(max, ++running)
    await sleep(20)
    running--
    release(DONE)
  }
  await Promise.all(processes.flatMap((slots) => Array.from({ length: count }, () => call(slots))))
  return max
}

test('never gives all processes together more slots than the maximum', async () => {
  const queue = testQueue()
  const processes = [open(queue), open(queue), open(queue)]
  const releases = await Promise.all(processes.map((slots) => slots.acquire(signal)))
  for (const release of releases) release(DONE)
  expect(await measure(processes, 20)).toBeLessThanOrEqual(4)
})

test('halves the limit of all processes once per wave of throttled calls, and raises it again as calls complete', async () => {
  const queue = testQueue()
  const [here, there] = [open(queue), open(queue)]
  const releases = await Promise.all([here, there, here, there].map((slots) => slots.acquire(signal)))
  for (const release of releases) release(THROTTLED)
  const [releaseFirst, releaseSecond] = [await there.acquire(signal), await here.acquire(signal)]
  const third = there.acquire(signal)
  expect(await isWaiting(third)).toBe(true)
  releaseFirst(DONE)
  const releaseThird = await third
  for (const release of [releaseSecond, releaseThird]) release(DONE)
  // Each lost slot is regained after ten more calls.
  for (let call = 0; call < 20; call++) (await [here, there][call % 2]?.acquire(signal))?.(DONE)
  const all = await Promise.all([here, there, here, there].map((slots) => slots.acquire(signal)))
  const fifth = here.acquire(signal)
  expect(await isWaiting(fifth)).toBe(true)
  for (const release of all) release(DONE)
  const releaseFifth = await fifth
  releaseFifth(DONE)
})

test('reports waiting callers, held slots and the current limit', async () => {
  const queue = testQueue()
  const slots = open(queue, { maxSlots: 2 })
  const releases = [await slots.acquire(signal), await slots.acquire(signal)]
  const third = slots.acquire(signal)
  expect(await slots.read()).toEqual({ waiting: 1, held: 2, limit: 2 })
  releases[0]?.(THROTTLED)
  releases[1]?.(DONE)
  releases[1]?.(DONE) // has no further effect
  const releaseThird = await third
  expect(await slots.read()).toEqual({ waiting: 0, held: 1, limit: 1 })
  releaseThird(DONE)
  const controller = new AbortController()
  const last = await slots.acquire(signal)
  const waiting = slots.acquire(controller.signal)
  controller.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('cancelled')
  last(DONE)
  expect(await slots.read()).toEqual({ waiting: 0, held: 0, limit: 1 })
})

test('keeps a slot for as long as its process lives, and frees it soon after', async () => {
  const queue = testQueue()
  const holder = open(queue, { maxSlots: 1, leaseMs: 600 })
  await holder.acquire(signal)
  await sleep(1_500)
  const next = open(queue, { maxSlots: 1 }).acquire(signal)
  expect(await isWaiting(next)).toBe(true)
  await holder.close()
  ;(await next)(DONE)
})

test('counts a held slot again after Redis has lost everything', async () => {
  const queue = testQueue()
  const release = await open(queue, { maxSlots: 1, leaseMs: 300 }).acquire(signal)
  const redis = connectRedis(queue)
  await redis.del(`${queue.prefix}:slots:test`)
  redis.disconnect()
  await sleep(400)
  const next = open(queue, { maxSlots: 1 }).acquire(signal)
  expect(await isWaiting(next)).toBe(true)
  release(DONE)
  ;(await next)(DONE)
})

// The script takes half a second, during which Redis replies to nobody.
const BLOCK = `
local function now() local t = redis.call('time'); return t[1] * 1000 + t[2] / 1000 end
local start = now()
while now() - start < 500 do end`

test('takes back a slot that Redis gave after the process had stopped waiting for the reply', async () => {
  const queue = testQueue()
  const slots = open(queue, { maxSlots: 1, maxSlotsWithoutRedis: 1, timeoutMs: 100 })
  await slots.read()
  const redis = connectRedis(queue)
  const blocked = redis.eval(BLOCK, 0)
  await sleep(20)
  const release = await slots.acquire(signal)
  release(DONE)
  await blocked
  redis.disconnect()
  const next = await open(queue, { maxSlots: 1 }).acquire(AbortSignal.timeout(5_000))
  next(DONE)
})

test('gives out no slot before the requested pause is over', async () => {
  const queue = testQueue()
  const [here, there] = [open(queue), open(queue)]
  const release = await here.acquire(signal)
  const before = performance.now()
  release({ kind: 'throttled', retryAfterMs: 1_500 })
  await waitUntil('Redis has processed the release', async () => (await here.read()).held === 0)
  const next = await there.acquire(signal)
  expect(performance.now() - before).toBeGreaterThan(1_400)
  next(DONE)
})

test('lets a waiting caller abort without delaying the next one', async () => {
  const slots = open(testQueue(), { maxSlots: 1 })
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

test('lets a caller abort from the middle of the line at once, and keeps the order of the others', async () => {
  const slots = open(testQueue(), { maxSlots: 1 })
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
  const aborted = slots.acquire(controller.signal)
  const second = acquire('second')
  const third = acquire('third')
  controller.abort(reason)
  // Its turn would not come before the slot is released.
  await expect(aborted).rejects.toBe(reason)
  expect(await slots.read()).toMatchObject({ waiting: 3, held: 1 })
  await expect(slots.acquire(controller.signal)).rejects.toBe(reason)
  expect(order).toEqual([])
  release(DONE)
  await Promise.all([first, second, third])
  expect(order).toEqual(['first', 'second', 'third'])
  expect(await slots.read()).toMatchObject({ waiting: 0, held: 0 })
})

test('limits a single process by the same rules while Redis is unavailable', async () => {
  const slots = open({ url: 'redis://127.0.0.1:9', prefix: 'nowhere' })
  expect(await measure([slots], 12)).toBe(2)
  const release = await slots.acquire(signal)
  expect(await slots.read()).toEqual({ waiting: 0, held: 1, limit: 2 })
  release(THROTTLED)
  const held = await slots.acquire(signal)
  const second = slots.acquire(signal)
  expect(await isWaiting(second)).toBe(true)
  held(DONE)
  const last = await second
  last(DONE)
})

describe('slots that are divided between interactive and other calls', () => {
  const openBoth = (maxSlots: number) => {
    const queue = testQueue()
    return {
      batch: open(queue, { maxSlots, group: 'batch' }),
      interactive: open(queue, { maxSlots, group: 'interactive' }),
    }
  }

  test('keep an eighth of the limit for interactive calls, and the rest from them', async () => {
    const { batch, interactive } = openBoth(16)
    const acquired = await Promise.all(Array.from({ length: 14 }, () => batch.acquire(signal)))
    acquired.push(await interactive.acquire(signal), await interactive.acquire(signal))
    const waiting = [batch.acquire(signal), interactive.acquire(signal)]
    expect(await Promise.all(waiting.map(isWaiting))).toEqual([true, true])
    // A slot of one group is not lent to the other one.
    acquired[0]?.(DONE)
    ;(await waiting[0])?.(DONE)
    expect(await isWaiting(at(waiting, 1))).toBe(true)
    for (const release of acquired) release(DONE)
    ;(await waiting[1])?.(DONE)
  })

  test('are never more than the limit together, even if it is 1', async () => {
    const { batch, interactive } = openBoth(1)
    const release = await batch.acquire(signal)
    const waiting = interactive.acquire(signal)
    expect(await isWaiting(waiting)).toBe(true)
    release(DONE)
    ;(await waiting)(DONE)
    expect(await measure([batch, interactive], 5)).toBe(1)
  })

  test('shrink together when the other side throttles one of them', async () => {
    const { batch, interactive } = openBoth(8)
    const release = await batch.acquire(signal)
    release(THROTTLED)
    await waitUntil('the limit has shrunk', async () => (await interactive.read()).limit === 4)
    const acquired = await Promise.all([1, 2, 3].map(() => batch.acquire(signal)))
    acquired.push(await interactive.acquire(signal))
    const waiting = [batch.acquire(signal), interactive.acquire(signal)]
    expect(await Promise.all(waiting.map(isWaiting))).toEqual([true, true])
    for (const each of acquired) each(DONE)
    for (const each of waiting) (await each)(DONE)
  })
})
