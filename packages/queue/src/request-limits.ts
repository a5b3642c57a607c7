import { setTimeout as sleep } from 'node:timers/promises'
import DataLoader from 'dataloader'
import type { Result } from 'ioredis'
import { connectRedis, failFast, firstAttempt, type QueueOptions } from './connection.ts'

/** A caller's hour. It begins with the first request; when it ends, the whole limit is available again. */
export interface RequestWindow {
  limit: number
  /** At most `limit`: refused requests do not count. */
  used: number
  remaining: number
  resetAt: Date
}

export interface CountedRequest {
  window: RequestWindow
  /** Whether the limit had been used up before this request. */
  exceeded: boolean
}

export interface RequestLimits {
  /**
   * Counts a request of `caller` against an hourly `limit`, across all processes. Never rejects, and never waits for an
   * unavailable Redis: until it is back, this process counts on its own and no limit is exceeded.
   */
  count(caller: string, limit: number): Promise<CountedRequest>
  close(): Promise<void>
}

interface RequestLimitOptions extends Pick<QueueOptions, 'url' | 'prefix' | 'timeoutMs'> {
  /** Called once when limits can no longer be enforced, and once when they can be again. */
  onChange?: (state: 'suspended' | 'held', error?: Error) => void
  /** Called for every request that was counted without Redis. */
  onFallback?: () => void
}

const WINDOW_SECONDS = 3_600
const PROBE_INTERVAL_MS = 250
const PROBE_TTL_MS = 1_000

// Returns, for each key, the count and the end of the window in milliseconds, by the server's clock: every process gives the
// same end, however long the reply takes. A window ends in the middle of the last second of its hour, so that rounding up
// always gives the same second, and never one more than an hour away.
const COUNT = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local counted = {}
for i, key in ipairs(KEYS) do
  local ttl = redis.call('pttl', key)
  local count = 1
  if ttl < 0 then
    ttl = ARGV[1] * 1000 - 500 - now % 1000
    redis.call('set', key, 1, 'PX', ttl)
  else
    count = redis.call('incr', key)
  end
  counted[i] = {count, now + ttl}
end
return counted`

type Counted = [count: number, endsAt: number]

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Runs `COUNT` with the number of keys, the keys and the seconds of a window. */
    countRequests(...keysAndSeconds: (number | string)[]): Result<Counted[], Context>
  }
}

/** Redis blocks all others while it runs a script. */
const MAX_REQUESTS_PER_COMMAND = 500

export function createRequestLimits({
  url,
  prefix,
  onChange,
  onFallback,
  timeoutMs,
}: RequestLimitOptions): RequestLimits {
  const redis = connectRedis({ url, prefix }, failFast({ timeoutMs }))
  redis.defineCommand('countRequests', { lua: COUNT })
  // Requests that arrive together are counted by one command: sending it costs several times as much as counting.
  const shared = new DataLoader<string, Counted>((keys) => redis.countRequests(keys.length, ...keys, WINDOW_SECONDS), {
    cache: false,
    maxBatchSize: MAX_REQUESTS_PER_COMMAND,
    batchScheduleFn: setImmediate,
  })
  const opened = firstAttempt(redis, timeoutMs)
  const local = createLocalCounter()
  const closing = new AbortController()
  let suspended = false

  // Runs beside the requests, so that none of them waits for a server that hangs.
  const probe = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(PROBE_INTERVAL_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {}) // closed
      // A write, because a server without memory or disk space answers everything else.
      const responded = await redis.set(`${prefix}:probe`, '', 'PX', PROBE_TTL_MS).then(
        () => true,
        () => false,
      )
      if (responded) break
    }
    suspended = false
    if (!closing.signal.aborted) onChange?.('held')
  }
  const suspend = (error: Error): void => {
    if (suspended) return
    suspended = true
    onChange?.('suspended', error)
    void probe()
  }

  return {
    async count(caller, limit) {
      await opened
      if (!suspended) {
        try {
          const [count, endsAt] = await shared.load(`${prefix}:requests:${caller}`)
          return { window: buildWindow(limit, count, endsAt), exceeded: count > limit }
        } catch (error) {
          suspend(error as Error)
        }
      }
      onFallback?.()
      const { used, endsAt } = local(caller)
      return { window: buildWindow(limit, used, endsAt), exceeded: false }
    },
    async close() {
      closing.abort()
      redis.disconnect()
    },
  }
}

function buildWindow(limit: number, counted: number, endsAt: number): RequestWindow {
  const used = Math.min(counted, limit)
  return { limit, used, remaining: limit - used, resetAt: new Date(Math.ceil(endsAt / 1_000) * 1_000) }
}

const MAX_LOCAL_COUNTERS = 10_000

interface LocalCount {
  used: number
  endsAt: number
}

/**
 * Counts requests while Redis is unavailable. The counts are only shown and refuse nothing, so all of them are dropped
 * when there are too many callers to keep in memory.
 */
function createLocalCounter(): (caller: string) => LocalCount {
  const counts = new Map<string, LocalCount>()
  return (caller) => {
    const now = Date.now()
    const known = counts.get(caller)
    const count = known && known.endsAt > now ? known : { used: 0, endsAt: now + WINDOW_SECONDS * 1_000 }
    if (!known && counts.size >= MAX_LOCAL_COUNTERS) counts.clear()
    count.used++
    counts.set(caller, count)
    return count
  }
}
