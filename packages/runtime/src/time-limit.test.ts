import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { withTimeLimit } from './time-limit.ts'

/** Settles when the signal aborts, as a request does that is never answered. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

test('gives what the work gives', async () => {
  await expect(withTimeLimit(60_000, undefined, async ({ aborted }) => aborted)).resolves.toBe(false)
})

test('ends work that takes too long', async () => {
  await expect(withTimeLimit(1, undefined, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('ends work with its caller', async () => {
  const caller = new AbortController()
  const work = withTimeLimit(60_000, caller.signal, untilAborted)
  caller.abort(new Error('the caller left'))
  await expect(work).rejects.toThrow('the caller left')
})

test('ends work although garbage is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const collecting = setInterval(collectGarbage, 20)
  const caller = new AbortController()
  try {
    const work = withTimeLimit(500, caller.signal, (signal) => withTimeLimit(60_000, signal, untilAborted))
    await expect(Promise.race([work, sleep(10_000, 'too late', { ref: false })])).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  } finally {
    clearInterval(collecting)
    caller.abort()
  }
})
