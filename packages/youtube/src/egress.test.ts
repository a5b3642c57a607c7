import { createEgress, createRoutePlanner } from './egress.ts'
import { createExitHealth } from './exit-health.ts'
import type { PlatformSession } from './session.ts'

const session = (isGenuine = true): PlatformSession => ({
  isGenuine,
  fetchPlayer: async () => ({}),
  fetchMetadata: async () => ({}),
  fetchCaptions: async () => [],
  fetchComments: async () => [],
})

const way = (options: Partial<Parameters<typeof createEgress>[0]>) =>
  createEgress({
    name: 'direct',
    isProxy: false,
    health: createExitHealth({ restMs: 60_000 }),
    open: async () => session(),
    ...options,
  })

const opening = (isGenuine = true) => {
  const opened: PlatformSession[] = []
  let now = 0
  const egress = way({
    open: async () => {
      opened.push(session(isGenuine))
      return opened.at(-1) as PlatformSession
    },
    now: () => now,
  })
  return { egress, opened, pass: (minutes: number) => (now += minutes * 60_000) }
}

describe('a session', () => {
  test('is opened once for all who ask at the same time', async () => {
    const { egress, opened } = opening()
    const [first, second] = await Promise.all([egress.acquire(), egress.acquire()])
    expect(first).toBe(second)
    expect(opened).toHaveLength(1)
  })

  test('ends after an hour', async () => {
    const { egress, opened, pass } = opening()
    await egress.acquire()
    pass(59)
    await egress.acquire()
    expect(opened).toHaveLength(1)
    pass(1)
    await egress.acquire()
    expect(opened).toHaveLength(2)
  })

  test('ends after minutes when it is made up', async () => {
    const { egress, opened, pass } = opening(false)
    await egress.acquire()
    pass(5)
    await egress.acquire()
    expect(opened).toHaveLength(2)
  })

  test('is discarded once, however many jobs complain', async () => {
    const { egress, opened } = opening()
    const old = await egress.acquire()
    egress.discard(old)
    const fresh = await egress.acquire()
    egress.discard(old)
    expect(await egress.acquire()).toBe(fresh)
    expect(opened).toHaveLength(2)
  })

  test('that could not be opened is tried again', async () => {
    let attempts = 0
    const open = async () => {
      attempts++
      if (attempts === 1) throw new Error('no network')
      return session()
    }
    const egress = way({ open })
    await expect(egress.acquire()).rejects.toThrow('no network')
    await expect(egress.acquire()).resolves.toBeDefined()
  })
})

test('a route names the direct way and up to three proxies in turn', () => {
  const ways = Array.from({ length: 5 }, (_, index) => way({ isProxy: index > 0 }))
  const [direct, a, b, c, d] = ways
  const plan = createRoutePlanner(direct as never, [a, b, c, d] as never)
  const named = (useProxy: boolean | null) => plan(useProxy).map((way) => 'dabce'.charAt(ways.indexOf(way)))
  expect(named(null).join('')).toBe('dabc')
  expect(named(true).join('')).toBe('bce')
  expect(named(false).join('')).toBe('ddd')
})

test('a route passes over proxies that rest while others are well', () => {
  const proxies = Array.from({ length: 4 }, (_, index) => way({ name: `proxy_${index + 1}`, isProxy: true }))
  const plan = createRoutePlanner(way({}), proxies)
  const names = () => plan(true).map(({ name }) => name.at(-1))
  proxies[1]?.health.blocked('a', 60)
  expect(names()).toEqual(['1', '3', '4'])
  expect(names()).toEqual(['3', '4', '1'])
  for (const proxy of proxies) proxy.health.blocked('a', 60)
  expect(names()).toEqual(['3', '4', '1'])
})
