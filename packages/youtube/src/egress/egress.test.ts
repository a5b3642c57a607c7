import type { PlatformSession } from '../session/open-session.ts'
import { createClientHealth } from './client-health.ts'
import { createEgress } from './egress.ts'
import { createEgressHealth } from './egress-health.ts'

const session = (isGenuine = true): PlatformSession => ({
  isGenuine,
  fetchPlayer: async () => ({}),
  fetchMetadata: async () => ({}),
  fetchCaptions: async () => [],
  fetchComments: async () => [],
  browse: async () => ({ body: {}, bytes: 0 }),
  fetchFeed: async () => null,
  resolveUrl: async () => ({ body: {}, bytes: 0 }),
})

const openEgress = (options: Partial<Parameters<typeof createEgress>[0]>) =>
  createEgress({
    name: 'direct',
    isProxy: false,
    health: createEgressHealth({ restMs: 60_000 }),
    clients: createClientHealth(),
    open: async () => session(),
    ...options,
  })

const opening = (isGenuine = true) => {
  const opened: PlatformSession[] = []
  let now = 0
  const egress = openEgress({
    open: async () => {
      const fresh = session(isGenuine)
      opened.push(fresh)
      return fresh
    },
    now: () => now,
  })
  return { egress, opened, pass: (minutes: number) => (now += minutes * 60_000) }
}

describe('the session of an egress', () => {
  test('is opened once for all concurrent callers', async () => {
    const { egress, opened } = opening()
    const [first, second] = await Promise.all([egress.acquire(), egress.acquire()])
    expect(first).toBe(second)
    expect(opened).toHaveLength(1)
  })

  test('is replaced after an hour', async () => {
    const { egress, opened, pass } = opening()
    await egress.acquire()
    pass(59)
    await egress.acquire()
    expect(opened).toHaveLength(1)
    pass(1)
    await egress.acquire()
    expect(opened).toHaveLength(2)
  })

  test('is replaced after five minutes if it was generated locally', async () => {
    const { egress, opened, pass } = opening(false)
    await egress.acquire()
    pass(5)
    await egress.acquire()
    expect(opened).toHaveLength(2)
  })

  test('is discarded once, however many jobs report it', async () => {
    const { egress, opened } = opening()
    const old = await egress.acquire()
    egress.discard(old)
    const fresh = await egress.acquire()
    egress.discard(old)
    expect(await egress.acquire()).toBe(fresh)
    expect(opened).toHaveLength(2)
  })

  test('is opened again after a failure', async () => {
    let attempts = 0
    const open = async () => {
      attempts++
      if (attempts === 1) throw new Error('no network')
      return session()
    }
    const egress = openEgress({ open })
    await expect(egress.acquire()).rejects.toThrow('no network')
    await expect(egress.acquire()).resolves.toBeDefined()
  })
})
