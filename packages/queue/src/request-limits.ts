import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimiterRedis } from 'rate-limiter-flexible'
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

// Returns the count and the end of the window in milliseconds, by the server's clock: every process gives the same end,
// however long the reply takes. A window ends in the middle of the last second of its hour, so that rounding up always
// gives the same second, and never one more than an hour away.
const COUNT = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ttl = redis.call('pttl', KEYS[1])
if ttl < 0 then
  ttl = ARGV[2] * 1000 - 500 - now % 1000
  redis.call('set', KEYS[1], ARGV[1], 'PX', ttl)
  return {tonumber(ARGV[1]), now + ttl}
end
return {redis.call('incrby', KEYS[1], ARGV[1]), now + ttl}`

export function createRequestLimits({
  url,
  prefix,
  onChange,
  onFallback,
  timeoutMs,
}: RequestLimitOptions): RequestLimits {
  const redis = connectRedis({ url, prefix }, failFast({ timeoutMs }))
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:requests`,
    // Unused: the limit depends on the caller and is checked below.
    points: 1,
    duration: WINDOW_SECONDS,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: COUNT,
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
          const { consumedPoints, msBeforeNext: endsAt } = await limiter.penalty(caller)
          return {
            window: buildWindow(limit, consumedPoints, endsAt),
            exceeded: consumedPoints > limit,
          }
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
