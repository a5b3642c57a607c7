import { lstatSync } from 'node:fs'
import { lutimes, mkdtemp, rm, symlink } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const { withLock } = await import(new URL('lock.mjs', import.meta.url).href)

/** Larger than any process ID. */
const NOBODY = 2 ** 30

let root: string
let lock: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'subtext-lock-test-'))
  lock = join(root, 'dist.lock')
})
afterEach(() => rm(root, { recursive: true }))

/** The lock is a symbolic link that leads nowhere. */
const isLocked = (): boolean => lstatSync(lock, { throwIfNoEntry: false }) !== undefined

const said: string[] = []
const say = (text: string): void => void said.push(text)
beforeEach(() => said.splice(0))

test('one task runs at a time, and a process that waits says so once', async () => {
  let running = 0
  const task = async (): Promise<number> => {
    expect(++running).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(isLocked()).toBe(true)
    return running--
  }
  expect(await Promise.all([1, 2, 3].map(() => withLock(root, say, task)))).toEqual([1, 1, 1])
  expect(said).toEqual(Array(2).fill('waiting for another process that is building'))
  expect(isLocked()).toBe(false)
})

test('a task that fails releases the lock', async () => {
  const task = (): Promise<never> => Promise.reject(new Error('broken'))
  await expect(withLock(root, say, task)).rejects.toThrow('broken')
  expect(isLocked()).toBe(false)
})

test.each([
  ['of a process that is gone', `${NOBODY}@${hostname()}`, new Date()],
  [
    'that is not refreshed, although a process has the ID of its owner',
    `${process.pid}@${hostname()}`,
    new Date(Date.now() - 3_600_000),
  ],
  ['of another machine that is not refreshed', `${NOBODY}@elsewhere`, new Date(Date.now() - 3_600_000)],
])('takes over a lock %s', async (_case, owner, created) => {
  await symlink(owner, lock)
  await lutimes(lock, created, created)
  expect(await withLock(root, say, async () => 'done')).toBe('done')
  expect(isLocked()).toBe(false)
})

test('waits for another machine, whose processes it cannot see', async () => {
  await symlink(`${NOBODY}@elsewhere`, lock)
  const order: string[] = []
  const waiting = withLock(
    root,
    () => void order.push('waits'),
    async () => void order.push('runs'),
  )
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(isLocked()).toBe(true)
  order.push('released')
  await rm(lock)
  await waiting
  expect(order).toEqual(['waits', 'released', 'runs'])
})

test('refreshes its lock while the task runs', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  try {
    await withLock(root, say, async () => {
      await lutimes(lock, new Date(0), new Date(0))
      jest.advanceTimersByTime(60_000)
      expect(lstatSync(lock).mtimeMs).toBeGreaterThan(0)
    })
    expect(jest.getTimerCount()).toBe(0)
  } finally {
    jest.useRealTimers()
  }
})
