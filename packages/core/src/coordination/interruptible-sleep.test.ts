import { setTimeout as sleep } from 'node:timers/promises'
import { createInterruptibleSleep } from './interruptible-sleep.ts'

const LONG_MS = 60_000

test('wake ends one wait only', async () => {
  const pause = createInterruptibleSleep()
  const first = pause.wait(LONG_MS)
  pause.wake()
  await first
  expect(await Promise.race([pause.wait(LONG_MS), sleep(50, 'still waiting')])).toBe('still waiting')
  pause.wake()
})

test('any number of calls to wake before a wait end that wait only', async () => {
  const pause = createInterruptibleSleep()
  pause.wake()
  pause.wake()
  await pause.wait(LONG_MS)
  expect(await Promise.race([pause.wait(LONG_MS), sleep(50, 'still waiting')])).toBe('still waiting')
  pause.wake()
})

test('a wait ends by itself, and a later call to wake ends the next one', async () => {
  const pause = createInterruptibleSleep()
  await pause.wait(1)
  pause.wake()
  await pause.wait(LONG_MS)
})
