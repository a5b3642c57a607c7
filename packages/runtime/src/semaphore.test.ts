import { getEventListeners } from 'node:events'
import { createSemaphore } from './semaphore.ts'

const settled = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])

test('a semaphore hands out its permits in the order in which callers ask', async () => {
  const semaphore = createSemaphore(2)
  await semaphore.acquire()
  await semaphore.acquire()
  const third = semaphore.acquire()
  const fourth = semaphore.acquire()
  expect(await settled(third)).toBe(false)
  semaphore.release()
  await third
  expect(await settled(fourth)).toBe(false)
  semaphore.release()
  expect(await settled(fourth)).toBe(true)
})

test('a caller that gives up waiting takes no permit', async () => {
  const semaphore = createSemaphore(1)
  await semaphore.acquire()
  const tired = new AbortController()
  const second = semaphore.acquire(tired.signal)
  const third = semaphore.acquire()
  tired.abort(new Error('tired'))
  await expect(second).rejects.toThrow('tired')
  semaphore.release()
  await third
  semaphore.release()
  expect(await settled(semaphore.acquire())).toBe(true)
  await expect(semaphore.acquire(tired.signal)).rejects.toThrow('tired')
})

test('a caller that holds a permit keeps it when its signal aborts', async () => {
  const semaphore = createSemaphore(1)
  const caller = new AbortController()
  await semaphore.acquire()
  const second = semaphore.acquire(caller.signal)
  semaphore.release()
  await second
  caller.abort(new Error('too late'))
  expect(semaphore.tryAcquire()).toBe(false)
  semaphore.release()
  expect(semaphore.tryAcquire()).toBe(true)
})

test('a permit is taken without waiting only while one is free', async () => {
  const semaphore = createSemaphore(1)
  expect(semaphore.tryAcquire()).toBe(true)
  expect(semaphore.tryAcquire()).toBe(false)
  semaphore.release()
  expect(semaphore.tryAcquire()).toBe(true)
})

test('work that fails returns its permit', async () => {
  const semaphore = createSemaphore(1)
  await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await semaphore.run(async () => 'done')).toBe('done')
})

test('callers that wait on one signal add no listeners to it, which Node would report as a leak', async () => {
  const semaphore = createSemaphore(1)
  await semaphore.acquire()
  const job = new AbortController()
  const waiting = Array.from({ length: 50 }, () => semaphore.acquire(job.signal).catch(() => 'aborted'))
  expect(getEventListeners(job.signal, 'abort')).toHaveLength(0)
  job.abort()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['aborted']))
})
