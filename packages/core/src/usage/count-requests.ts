import { addRequestCounts, type RequestCount } from '@subtext/db'
import type { Actor, Context } from '../context.ts'

const FLUSH_MS = 1_000
const HOUR_MS = 3_600_000

export interface RequestCounter {
  /** Counts a request that has been answered; costs no more than a look into a map. */
  count(actor: Actor, succeeded: boolean): void
  /** Resolves when everything counted before the call is in the store; rejects when it cannot be written now. */
  flush(): Promise<void>
  /** A last flush; nothing may be counted afterwards. */
  close(): Promise<void>
}

type Counts = Map<string, RequestCount>

/**
 * Requests by key and hour, kept in memory and added to the store once a second in one statement, so that a request
 * costs the store nothing. What cannot be written is kept, as one number for each key and hour, and tried again. A
 * process that is killed takes at most its last second with it: the figures are there to be looked at, not to bill by.
 */
export function createRequestCounter(ctx: Pick<Context, 'db' | 'clock' | 'log'>): RequestCounter {
  let waiting: Counts = new Map()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let closed = false

  const write = async (): Promise<void> => {
    const counts = waiting
    if (counts.size === 0) return
    waiting = new Map()
    try {
      // A statement that was given up may still be at work. In a transaction it comes to nothing, so that counting the
      // same again is right.
      await ctx.db.transaction((sql) => addRequestCounts(sql, [...counts.values()]))
    } catch (error) {
      for (const { succeeded, failed, ...place } of counts.values()) add(waiting, place, { succeeded, failed })
      throw error
    }
  }
  const flush = (): Promise<void> => {
    if (!running) {
      running = write().finally(() => {
        running = undefined
      })
      return running
    }
    // What is being written may not hold what the caller has seen counted: all who ask meanwhile share the next turn.
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return flush()
      })
    return next
  }
  const flushLater = (): void => {
    if (closed) return
    timer ??= setTimeout(async () => {
      try {
        await flush()
      } catch (error) {
        ctx.log.warn('request counts wait', { rows: waiting.size, error: (error as Error).message })
      }
      timer = undefined
      if (waiting.size > 0) flushLater()
    }, FLUSH_MS).unref()
  }

  return {
    count({ userId, apiKeyId }, succeeded) {
      const hour = new Date(Math.floor(ctx.clock().getTime() / HOUR_MS) * HOUR_MS)
      add(waiting, { userId, apiKeyId, hour }, { succeeded: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 })
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

function add(
  counts: Counts,
  place: Omit<RequestCount, 'succeeded' | 'failed'>,
  more: Pick<RequestCount, 'succeeded' | 'failed'>,
): void {
  const name = `${place.userId} ${place.apiKeyId} ${place.hour.getTime()}`
  const count = counts.get(name)
  if (count) {
    count.succeeded += more.succeeded
    count.failed += more.failed
  } else counts.set(name, { ...place, ...more })
}
