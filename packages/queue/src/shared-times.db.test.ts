import { setTimeout as sleep } from 'node:timers/promises'
import { openTcpLink } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import type { QueueOptions } from './connection.ts'
import { createSharedTimes, type SharedTimes } from './shared-times.ts'

const opened: SharedTimes[] = []
afterEach(() => Promise.all(opened.splice(0).map((times) => times.close())))

const open = (
  queue: Pick<QueueOptions, 'url' | 'prefix' | 'timeoutMs'>,
  options: Partial<Parameters<typeof createSharedTimes>[0]> = {},
): SharedTimes => {
  const times = createSharedTimes({ ...queue, name: 'test', keepMs: 600_000, ...options })
  opened.push(times)
  return times
}

test('a key that one process has named is remembered by all, and forgotten by all', async () => {
  const queue = testQueue()
  const [here, there] = [open(queue), open(queue)]
  expect(await here.ageOf('video')).toBeLessThan(30_000)
  await sleep(50)
  const ageMs = await there.ageOf('video')
  expect(ageMs).toBeGreaterThanOrEqual(45)
  expect(await here.ageOf('video')).toBeGreaterThanOrEqual(ageMs)
  await there.forget('video')
  expect(await here.ageOf('video')).toBeLessThan(ageMs)
})

test('a key is forgotten when its time has passed, and is another one under another name', async () => {
  const queue = testQueue()
  const brief = open(queue, { keepMs: 40 })
  await brief.ageOf('video')
  await sleep(60)
  expect(await brief.ageOf('video')).toBeLessThan(20)
  const other = open(queue, { name: 'other' })
  expect(await other.ageOf('video')).toBeLessThan(20)
})

test('while Redis is away, each process goes on with what it has seen itself', async () => {
  const queue = testQueue()
  const link = await openTcpLink(queue.url)
  try {
    const cut = open({ ...queue, url: link.url, timeoutMs: 200 })
    await cut.ageOf('seen')
    link.cut()
    await sleep(50)
    expect(await cut.ageOf('seen')).toBeGreaterThanOrEqual(45)
    expect(await cut.ageOf('new')).toBe(0)
    await cut.forget('seen')
    expect(await cut.ageOf('seen')).toBe(0)
  } finally {
    await link.close()
  }
})
