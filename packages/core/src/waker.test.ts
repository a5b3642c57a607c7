import { setTimeout as sleep } from 'node:timers/promises'
import { createWaker } from './waker.ts'

const LONG_MS = 60_000

test('ends a wait, and only one', async () => {
  const waker = createWaker()
  const first = waker.wait(LONG_MS)
  waker.wake()
  await first
  expect(await Promise.race([waker.wait(LONG_MS), sleep(50, 'still waiting')])).toBe('still waiting')
  waker.wake()
})

test('waking before the wait is remembered, once however often', async () => {
  const waker = createWaker()
  waker.wake()
  waker.wake()
  await waker.wait(LONG_MS)
  expect(await Promise.race([waker.wait(LONG_MS), sleep(50, 'still waiting')])).toBe('still waiting')
  waker.wake()
})

test('a wait ends by itself, and waking afterwards counts for the next', async () => {
  const waker = createWaker()
  await waker.wait(1)
  waker.wake()
  await waker.wait(LONG_MS)
})
