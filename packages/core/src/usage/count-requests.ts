import type { Actor, Context } from '../context.ts'
import { addEndpointCounts } from './breakdown-sql.ts'
import { addRequestCounts, NO_KEY, type RequestCount } from './usage-sql.ts'

const FLUSH_MS = 1_000
const HOUR_MS = 3_600_000

export interface RequestCounter {
  /** Counts a request that has been answered, in memory. `endpoint` is null for a path that does not exist. */
  count(actor: Actor, endpoint: string | null, succeeded: boolean): void
  /** Resolves once everything counted before the call is stored; rejects if it cannot be written now. */
  flush(): Promise<void>
  /** Flushes for the last time. Do not count anything afterwards. */
  close(): Promise<void>
}

type Counts = Map<string, RequestCount>

/**
 * Counts requests per key, hour and endpoint in memory and adds them to the store once a second, so that a single request
 * costs the store nothing. Counts that cannot be written stay in memory, one number per key, hour and endpoint, and are
 * retried. A process that is killed loses at most its last second: the figures are informational, not a basis for billing.
 */
export function createRequestCounter(ctx: Pick<Context, 'db' | 'clock' | 'log'>): RequestCounter {
  let waiting: Counts = new Map()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const flush = shareWrites(async () => {
    const counts = waiting
    if (counts.size === 0) return
    waiting = new Map()
    try {
      // A statement that timed out may still be running. The transaction rolls it back, so adding the same counts again
      // is correct.
      await ctx.db.transaction(async (sql) => {
        await addRequestCounts(sql, [...counts.values()])
        await addEndpointCounts(sql, [...counts.values()])
      })
    } catch (error) {
      for (const { succeeded, failed, ...bucket } of counts.values()) add(waiting, bucket, { succeeded, failed })
      throw error
    }
  })
  const flushLater = (): void => {
    if (closed) return
    timer ??= setTimeout(async () => {
      try {
        await flush()
      } catch (error) {
        ctx.log.warn('request counts not written yet', { rows: waiting.size, error: (error as Error).message })
      }
      timer = undefined
      if (waiting.size > 0) flushLater()
    }, FLUSH_MS).unref()
  }

  return {
    count({ userId, apiKeyId: key }, endpoint, succeeded) {
      const apiKeyId = key ?? NO_KEY
      const hour = new Date(Math.floor(ctx.clock().getTime() / HOUR_MS) * HOUR_MS)
      add(waiting, { userId, apiKeyId, hour, endpoint }, { succeeded: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 })
      flushLater()
    },
    flush,
    async close() {
      closed = true
      clearTimeout(timer)
      try {
        await flush()
      } catch (error) {
        ctx.log.warn('request counts lost', { rows: waiting.size, error: (error as Error).message })
      }
    },
  }
}

/**
 * Returns a function that runs `write`, one at a time. A write in progress may lack what the caller has counted, so callers
 * that come meanwhile wait for the next write, which they share.
 */
function shareWrites(write: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const flush = (): Promise<void> => {
    if (!running) {
      running = write().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return flush()
      })
    return next
  }
  return flush
}

function add(
  counts: Counts,
  bucket: Omit<RequestCount, 'succeeded' | 'failed'>,
  more: Pick<RequestCount, 'succeeded' | 'failed'>,
): void {
  const name = `${bucket.userId} ${bucket.apiKeyId} ${bucket.hour.getTime()} ${bucket.endpoint}`
  const count = counts.get(name)
  if (count) {
    count.succeeded += more.succeeded
    count.failed += more.failed
  } else counts.set(name, { ...bucket, ...more })
}
