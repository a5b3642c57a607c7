import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { connectRedis, FAIL_FAST, type QueueOptions } from './connection.ts'

/** A caller's hour: it begins with the first request and ends all at once. */
export interface RequestWindow {
  limit: number
  /** Never more than the limit: refused requests are no use of it. */
  used: number
  remaining: number
  resetAt: Date
}

export interface CountedRequest {
  window: RequestWindow
  /** The limit was used up before this request. */
  exceeded: boolean
}

export interface RequestLimits {
  /**
   * Counts a request of `who` against `limit` in an hour, over all processes. Never rejects and never waits for a Redis that
   * is away: then this process counts for itself, and nothing is exceeded.
   */
  count(who: string, limit: number): Promise<CountedRequest>
  close(): Promise<void>
}

interface RequestLimitOptions extends Pick<QueueOptions, 'url' | 'prefix'> {
  /** Told once when limits can no longer be held, and once when they can again. */
  onChange?: (state: 'suspended' | 'held', error?: Error) => void
  /** Told of every request that was counted without Redis. */
  onFallback?: () => void
}

const WINDOW_SECONDS = 3_600
/** How long a request may wait for a Redis that does not answer, before the process stops asking it. */
const COMMAND_TIMEOUT_MS = 2_000
const PROBE_MS = 250
const OPEN_TIMEOUT_MS = 2_000

// Windows end in the middle of the last second of the hour by the server's clock: everybody who rounds that up gets the same
// second however long the answer travelled, and never one that is more than an hour away.
const COUNT = `
local ttl = redis.call('pttl', KEYS[1])
if ttl < 0 then
  ttl = ARGV[2] * 1000 - 500 - math.floor(redis.call('time')[2] / 1000)
  redis.call('set', KEYS[1], ARGV[1], 'PX', ttl)
  return {tonumber(ARGV[1]), ttl}
end
return {redis.call('incrby', KEYS[1], ARGV[1]), ttl}`

export function createRequestLimits({ url, prefix, onChange, onFallback }: RequestLimitOptions): RequestLimits {
  const redis = connectRedis({ url, prefix }, { ...FAIL_FAST, commandTimeout: COMMAND_TIMEOUT_MS })
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${prefix}:requests`,
    // The limit differs by caller and is judged below.
    points: 1,
    duration: WINDOW_SECONDS,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: COUNT,
  })
  const opened = Promise.race([
    new Promise<void>((resolve) => {
      for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve())
    }),
    sleep(OPEN_TIMEOUT_MS, undefined, { ref: false }),
  ])
  const local = createLocalCounter()
  const closing = new AbortController()
  let suspended = false

  // Asked beside the requests, so that none of them waits for a server that hangs.
  const probe = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(PROBE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {}) // closed
      const answered = await redis.ping().then(
        () => true,
        () => false,
      )
      if (answered) break
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
    async count(who, limit) {
      await opened
      if (!suspended) {
        try {
          const { consumedPoints, msBeforeNext } = await limiter.penalty(who)
          return {
            window: buildWindow(limit, consumedPoints, Date.now() + msBeforeNext),
            exceeded: consumedPoints > limit,
          }
        } catch (error) {
          suspend(error as Error)
        }
      }
      onFallback?.()
      const { used, endsAt } = local(who)
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

/** Numbers to show while Redis is away. They refuse nobody, so forgetting them all keeps a crowd of callers from filling the memory. */
function createLocalCounter(): (who: string) => LocalCount {
  const counts = new Map<string, LocalCount>()
  return (who) => {
    const now = Date.now()
    const known = counts.get(who)
    const count = known && known.endsAt > now ? known : { used: 0, endsAt: now + WINDOW_SECONDS * 1_000 }
    if (!known && counts.size >= MAX_LOCAL_COUNTERS) counts.clear()
    count.used++
    counts.set(who, count)
    return count
  }
}
