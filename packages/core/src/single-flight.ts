import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease, releaseLease } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from './context.ts'

const LEASE_SECONDS = 30
const RENEW_MS = 10_000
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 1_000

/**
 * Over all workers, one at a time does the work called `key`; the others wait and then find it done.
 * `find` looks for the finished work, `produce` does it. A worker that dies is succeeded when its lease has run out.
 */
export async function singleFlight<T>(
  ctx: Pick<Context, 'db'>,
  key: string,
  signal: AbortSignal,
  { find, produce }: { find: () => Promise<T | null>; produce: () => Promise<T> },
): Promise<T> {
  const token = randomId()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    signal.throwIfAborted()
    const found = await find()
    if (found !== null) return found
    if (await acquireLease(ctx.db, key, token, LEASE_SECONDS)) break
    await sleep(wait, undefined, { signal })
  }
  const renewal = setInterval(() => {
    acquireLease(ctx.db, key, token, LEASE_SECONDS).catch(() => {}) // the next renewal tries again
  }, RENEW_MS)
  try {
    // It may have been finished between the look and the lease.
    return (await find()) ?? (await produce())
  } finally {
    clearInterval(renewal)
    await releaseLease(ctx.db, key, token).catch(() => {}) // it runs out by itself
  }
}
