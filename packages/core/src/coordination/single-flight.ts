import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease, releaseLease } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from '../context.ts'

const LEASE_SECONDS = 15
const FIRST_WAIT_MS = 50
const MAX_WAIT_MS = 1_000

/**
 * Makes sure that only one worker of all produces the result called `key` at a time; the others wait and then find it.
 * `find` returns the finished result or null, and `produce` makes it. If a worker dies, another one continues when its lease
 * expires. Pass the lease of the job as `leaseSeconds`, so that the worker that takes over the job need not wait longer.
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
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
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
    // Another worker may have finished it after our last look and before we got the lease.
    return (await find()) ?? (await produce())
  } finally {
    clearInterval(renewal)
    await releaseLease(ctx.db, key, token).catch(() => {}) // it expires by itself
  }
}
