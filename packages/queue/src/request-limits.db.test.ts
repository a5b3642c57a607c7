import { createServer, type Socket } from 'node:net'
import { openTcpLink } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import type { QueueOptions } from './connection.ts'
import { createRequestLimits, type RequestLimits } from './request-limits.ts'

const HOUR_MS = 3_600_000
const open: RequestLimits[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((limits) => limits.close()))
})

function create(queue: Pick<QueueOptions, 'url' | 'prefix' | 'timeoutMs'> = testQueue()) {
  const changes: string[] = []
  let fallbacks = 0
  const limits = createRequestLimits({
    ...queue,
    onChange: (state) => changes.push(state),
    onFallback: () => fallbacks++,
  })
  open.push(limits)
  return { limits, changes, fallbacks: () => fallbacks }
}

test('accepts requests up to the limit, refuses further ones, and never shows more used than the limit', async () => {
  const { limits } = create()
  const seen = []
  for (let request = 0; request < 5; request++) seen.push(await limits.count('key:a', 3))
  expect(seen.map(({ window, exceeded }) => [window.limit, window.used, window.remaining, exceeded])).toEqual([
    [3, 1, 2, false],
    [3, 2, 1, false],
    [3, 3, 0, false],
    [3, 3, 0, true],
    [3, 3, 0, true],
  ])
})

test('counts each caller separately, and applies a higher limit at once', async () => {
  const { limits } = create()
  await limits.count('key:a', 1)
  expect((await limits.count('key:b', 1)).exceeded).toBe(false)
  expect((await limits.count('key:a', 1)).exceeded).toBe(true)
  expect(await limits.count('key:a', 10)).toMatchObject({ exceeded: false, window: { used: 3, remaining: 7 } })
})

test('gives a window of one hour, with the same whole second as its end in every response', async () => {
  const queue = testQueue()
  const [here, there] = [create(queue), create(queue)]
  const before = Date.now()
  const ends = new Set<number>()
  for (let request = 0; request < 200; request++) {
    const { window } = await (request % 2 ? here : there).limits.count('key:a', 1_000)
    ends.add(window.resetAt.getTime())
  }
  expect(ends.size).toBe(1)
  const end = Math.max(...ends)
  expect(end % 1_000).toBe(0)
  expect(end).toBeGreaterThan(before + HOUR_MS - 1_000)
  expect(end).toBeLessThanOrEqual(Date.now() + HOUR_MS)
})

test('never asks a caller to wait for more than an hour', async () => {
  const { limits } = create()
  for (const caller of ['key:a', 'key:b', 'key:c']) {
    const { window } = await limits.count(caller, 1)
    expect(window.resetAt.getTime() - Date.now()).toBeLessThanOrEqual(HOUR_MS)
  }
})

test('gives the same end of the window, no more than an hour away, to a process whose responses from Redis are late', async () => {
  const queue = testQueue()
  const link = await openTcpLink(queue.url)
  try {
    const [near, far] = [create(queue), create({ ...queue, url: link.url })]
    await far.limits.count('key:b', 3)
    link.delay(700)
    const late = await far.limits.count('key:a', 3)
    expect(late.window.resetAt.getTime() - Date.now()).toBeLessThanOrEqual(HOUR_MS)
    expect((await near.limits.count('key:a', 3)).window.resetAt).toEqual(late.window.resetAt)
  } finally {
    await link.close()
  }
})

test('counts exactly when several processes count at once', async () => {
  const queue = testQueue()
  const processes = [create(queue), create(queue), create(queue)]
  const counted = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => processes[index % 3]?.limits.count('key:a', 100)),
  )
  expect(counted.filter((one) => one?.exceeded === false)).toHaveLength(100)
  expect(new Set(counted.filter((one) => !one?.exceeded).map((one) => one?.window.used)).size).toBe(100)
  for (const { changes, fallbacks } of processes) expect([changes, fallbacks()]).toEqual([[], 0])
})

test('counts on its own while Redis is unavailable, without waiting, and reports that once', async () => {
  const { limits, changes, fallbacks } = create({ url: 'redis://127.0.0.1:1', prefix: 'p' })
  const seen: unknown[] = []
  for (let request = 0; request < 100; request++) seen.push(await limits.count('key:a', 3))
  expect(seen.at(0)).toMatchObject({ exceeded: false, window: { limit: 3, used: 1, remaining: 2 } })
  expect(seen.at(-1)).toMatchObject({ exceeded: false, window: { limit: 3, used: 3, remaining: 0 } })
  expect([changes, fallbacks()]).toEqual([['suspended'], 100])
})

test('delays only the first requests, and briefly, when Redis accepts connections but does not respond', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const { limits } = create({ url: `redis://127.0.0.1:${port}`, prefix: 'p', timeoutMs: 1_000 })
  const together = Promise.all(Array.from({ length: 50 }, () => limits.count('key:a', 3)))
  expect((await together).every(({ exceeded }) => !exceeded)).toBe(true)
  // The event loop does not turn before the last of them is counted: none has waited for a connection or a timeout.
  let hasTurned = false
  setImmediate(() => {
    hasTurned = true
  })
  for (let request = 0; request < 100; request++) await limits.count('key:a', 3)
  expect(hasTurned).toBe(false)
  for (const socket of sockets) socket.destroy()
  silent.close()
})
