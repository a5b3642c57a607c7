import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { withTimeout } from './with-timeout.ts'

/** Settles when the signal aborts, like a request that is never answered. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

test('withTimeout returns the result of the work', async () => {
  await expect(withTimeout(60_000, undefined, async ({ aborted }) => aborted)).resolves.toBe(false)
})

test('withTimeout aborts work that takes too long', async () => {
  await expect(withTimeout(1, undefined, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('withTimeout aborts work when its caller does', async () => {
  const caller = new AbortController()
  const work = withTimeout(60_000, caller.signal, untilAborted)
  caller.abort(new Error('the caller aborted'))
  await expect(work).rejects.toThrow('the caller aborted')
})

test('withTimeout aborts work even if garbage is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const collecting = setInterval(collectGarbage, 100)
  const caller = new AbortController()
  try {
    const work = withTimeout(500, caller.signal, (signal) => withTimeout(60_000, signal, untilAborted))
    await expect(work).rejects.toMatchObject({ name: 'TimeoutError' })
  } finally {
    clearInterval(collecting)
    caller.abort()
  }
})
