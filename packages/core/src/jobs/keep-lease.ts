import type { Context } from '../context.ts'
import type { Lease } from './job-row.ts'
import { extendLease } from './keep-lease-sql.ts'

/** How soon a worker that cannot be notified finds out about a cancellation. */
const POLL_INTERVAL_MS = 1_000

/** The job is no longer this worker's: it was cancelled, or another worker has taken it over. */
export class LeaseLostError extends Error {
  constructor() {
    super('The lease of the job was lost.')
    this.name = 'LeaseLostError'
  }
}

/**
 * Extends the lease while `work` runs. Aborts the signal given to `work` with a `LeaseLostError` when the lease is lost;
 * from then on the store refuses every write made under it. While the database is unavailable no other worker can take the
 * job, so the lease counts as held until the database says otherwise. A `cancel` notification only triggers an immediate
 * check, because it may arrive late or name another job.
 */
export async function keepLease<T>(
  ctx: Pick<Context, 'db' | 'log' | 'notifier'> & { producer: Pick<Context['producer'], 'isConnected'> },
  lease: Lease,
  leaseSeconds: number,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  let extendedAt = performance.now()
  const extend = async (): Promise<void> => {
    extendedAt = performance.now()
    try {
      if (!(await extendLease(ctx.db, lease, leaseSeconds))) lost.abort(new LeaseLostError())
    } catch (error) {
      ctx.log.warn('lease not extended', { error: (error as Error).message })
      extendedAt = Number.NEGATIVE_INFINITY
    }
  }
  const extendEveryMs = (leaseSeconds * 1_000) / 3
  const pollEveryMs = Math.min(extendEveryMs, POLL_INTERVAL_MS)
  const heartbeat = setInterval(() => {
    const isDue = performance.now() - extendedAt > extendEveryMs - pollEveryMs / 2
    if (isDue || !ctx.producer.isConnected()) void extend()
  }, pollEveryMs)
  const unsubscribe = ctx.notifier.subscribe('cancel', (jobId) => jobId === lease.jobId && extend())
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(heartbeat)
    unsubscribe()
  }
}
