import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease, releaseLease } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'

const LEASE_SECONDS = 15
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 1_000

/**
 * Over all workers, one at a time does the work called `key`; the others wait and then find it done.
 * `find` looks for the finished work, `produce` does it. A worker that dies is succeeded when its lease has run out:
 * `leaseSeconds` is best that of the job, so that who takes over the job does not wait for this one too.
 */
export async function singleFlight<T>(
  ctx: Pick<Context, 'db'>,
  key: string,
  signal: AbortSignal,
  {
    find,
    produce,
    leaseSeconds = LEASE_SECONDS,
  }: { find: () => Promise<T | null>; produce: () => Promise<T>; leaseSeconds?: number },
): Promise<T> {
  const token = randomId()
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    signal.throwIfAborted()
    const found = await find()
    if (found !== null) return found
    if (await acquireLease(ctx.db, key, token, leaseSeconds)) break
    await sleep(wait, undefined, { signal })
  }
  const renewal = setInterval(
    () => {
      acquireLease(ctx.db, key, token, leaseSeconds).catch(() => {}) // the next renewal tries again
    },
    (leaseSeconds * 1_000) / 3,
  )
  try {
    // It may have been finished between the look and the lease.
    return (await find()) ?? (await produce())
  } finally {
    clearInterval(renewal)
    await releaseLease(ctx.db, key, token).catch(() => {}) // it runs out by itself
  }
}
