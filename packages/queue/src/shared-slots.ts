import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '@subtext/runtime'
import { connectRedis, failFast, firstAttempt, type QueueOptions } from './connection.ts'

/** How a call ended. `throttled`: the other side asks for fewer calls at once, and for none within `retryAfterMs`. */
export type SlotOutcome = { kind: 'done' } | { kind: 'throttled'; retryAfterMs: number | null }

/** Releases the slot. Calling it again has no effect. */
export type ReleaseSlot = (outcome: SlotOutcome) => void

export interface SlotCounts {
  /** Calls of this process that wait for a slot. */
  waiting: number
  /** Slots that this process holds. */
  held: number
  /** The current limit of all processes together; while Redis is unavailable, of this process. */
  limit: number
}

/**
 * Limits how many calls all processes make at once. The limit shrinks when the other side throttles, and recovers
 * gradually.
 */
export interface SharedSlots {
  /**
   * Waits for a slot; the callers of one process take turns. Rejects with the signal's reason when the signal aborts.
   */
  acquire(signal: AbortSignal): Promise<ReleaseSlot>
  read(): Promise<SlotCounts>
  close(): Promise<void>
}

/** Calls for which someone is waiting, and all others. */
export type SlotGroup = 'interactive' | 'batch'

interface SharedSlotsOptions extends Pick<QueueOptions, 'url' | 'prefix' | 'timeoutMs'> {
  /** What the slots are for; processes that use the same name share them. */
  name: string
  /**
   * Divides the slots: an eighth of the current limit is for interactive calls alone, the rest for the others. By default,
   * all slots are for all calls.
   */
  group?: SlotGroup
  /** Maximum number of slots of all processes together. */
  maxSlots: number
  /** Maximum number of slots of this process while Redis is unavailable. */
  maxSlotsWithoutRedis: number
  /**
   * Milliseconds after which a slot that is no longer renewed is free again, because its process died or a command of it got
   * lost. A process that holds a slot renews it three times within that time. Default: 30 seconds.
   */
  leaseMs?: number
}

const MIN_WAIT_MS = 25
const MAX_WAIT_MS = 500
/** Completed calls after which a reduced limit grows by one. */
const GROW_AFTER = 10
/** Calls that were sent before the limit shrank are still throttled; they must not shrink it again. */
const MIN_SHRINK_INTERVAL_MS = 1_000
/** Used when the other side does not say how long to wait. */
const DEFAULT_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000
const RETRY_REDIS_AFTER_MS = 1_000
const COMMAND_TIMEOUT_MS = 1_000
const DEFAULT_LEASE_MS = 30_000
/** How long slots and limit are remembered after the last call. */
const KEEP_STATE_MS = 10 * 60_000

// All times are those of the server. KEYS: slots, state, slots of the other group.
const NOW = "local t = redis.call('time'); local now = t[1] * 1000 + math.floor(t[2] / 1000)"

/** ARGV: ID, maximum, lease, group (empty: none). Returns 0 when the slot was acquired, else the minimum time to wait. */
const ACQUIRE = `${NOW}
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
local pause = tonumber(redis.call('hget', KEYS[2], 'until') or '0') - now
if pause > 0 then return math.ceil(pause) end
local limit = math.min(tonumber(ARGV[2]), tonumber(redis.call('hget', KEYS[2], 'bound') or ARGV[2]))
local held = redis.call('zcard', KEYS[1])
if ARGV[4] ~= '' then
  redis.call('zremrangebyscore', KEYS[3], '-inf', now)
  local reserved = math.ceil(limit / 8)
  local share = ARGV[4] == 'interactive' and reserved or math.max(1, limit - reserved)
  if held >= share then return 1 end
  held = held + redis.call('zcard', KEYS[3])
end
if held >= limit then return 1 end
redis.call('zadd', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('pexpire', KEYS[1], ${KEEP_STATE_MS})
return 0`

/** ARGV: lease, IDs. Slots that a restart of Redis has forgotten are held again. */
const RENEW = `${NOW}
for i = 2, #ARGV do redis.call('zadd', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
redis.call('pexpire', KEYS[1], ${KEEP_STATE_MS})
return 0`

/** ARGV: ID, maximum, pause (empty if the call completed), GROW_AFTER, MIN_SHRINK_INTERVAL_MS, KEEP_STATE_MS. */
const RELEASE = `${NOW}
redis.call('zrem', KEYS[1], ARGV[1])
local maximum = tonumber(ARGV[2])
local limit = math.min(maximum, tonumber(redis.call('hget', KEYS[2], 'bound') or ARGV[2]))
if ARGV[3] ~= '' then
  local last = tonumber(redis.call('hget', KEYS[2], 'shrunk') or '0')
  if now - last >= tonumber(ARGV[5]) then
    redis.call('hset', KEYS[2], 'bound', math.max(1, math.floor(limit / 2)), 'shrunk', now, 'done', 0)
  end
  local resume = now + tonumber(ARGV[3])
  if resume > tonumber(redis.call('hget', KEYS[2], 'until') or '0') then redis.call('hset', KEYS[2], 'until', resume) end
elseif limit < maximum then
  if redis.call('hincrby', KEYS[2], 'done', 1) >= tonumber(ARGV[4]) then
    redis.call('hset', KEYS[2], 'bound', limit + 1, 'done', 0)
  end
end
redis.call('pexpire', KEYS[2], ARGV[6])
return 0`

export function createSharedSlots(options: SharedSlotsOptions): SharedSlots {
  const { prefix, name, group = '', maxSlots, maxSlotsWithoutRedis, leaseMs = DEFAULT_LEASE_MS } = options
  const redis = connectRedis(options, failFast({ timeoutMs: options.timeoutMs ?? COMMAND_TIMEOUT_MS }))
  redis.on('error', () => {}) // errors surface on the next command
  const opened = firstAttempt(redis, options.timeoutMs)
  const stateKey = `${prefix}:slots:${name}:state`
  const slotsKey = `${prefix}:slots:${name}`
  const interactiveKey = `${slotsKey}:interactive`
  const [own, other] = group === 'interactive' ? [interactiveKey, slotsKey] : [slotsKey, interactiveKey]
  const keys = [own, stateKey, other]
  const local = createLocalSlots(maxSlotsWithoutRedis)
  const turns = createSemaphore(1)
  let unavailableUntil = 0

  const acquireFromRedis = async (signal: AbortSignal, id: string): Promise<'acquired' | 'unavailable'> => {
    for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 1.5, MAX_WAIT_MS)) {
      signal.throwIfAborted()
      if (performance.now() < unavailableUntil) return 'unavailable'
      let pause: number
      try {
        pause = Number(await redis.eval(ACQUIRE, keys.length, ...keys, id, maxSlots, leaseMs, group))
      } catch {
        // Redis may have given the slot although its reply came too late.
        redis.zrem(own, id).catch(() => {})
        unavailableUntil = performance.now() + RETRY_REDIS_AFTER_MS
        return 'unavailable'
      }
      if (pause === 0) return 'acquired'
      // A pause ends for every process at the same moment; the jitter keeps them from retrying all at once.
      const jitter = Math.random() * wait
      await sleep(Math.min(Math.max(wait, pause), MAX_PAUSE_MS) + jitter, undefined, { signal }).catch(() => {})
    }
  }

  const readLimit = async (): Promise<number> => {
    if (performance.now() < unavailableUntil) return local.limit()
    return Math.min(maxSlots, Number((await redis.hget(stateKey, 'bound')) ?? maxSlots))
  }

  const heldIds = new Set<string>()
  const renewal = setInterval(() => {
    if (heldIds.size > 0) redis.eval(RENEW, 1, own, leaseMs, ...heldIds).catch(() => {}) // the next one may succeed
  }, leaseMs / 3)
  renewal.unref()

  const holdInRedis = (id: string): ReleaseSlot => {
    heldIds.add(id)
    return (outcome) => {
      heldIds.delete(id)
      const pause = outcome.kind === 'throttled' ? pauseOf(outcome) : ''
      const values = [id, maxSlots, pause, GROW_AFTER, MIN_SHRINK_INTERVAL_MS, KEEP_STATE_MS]
      redis.eval(RELEASE, keys.length, ...keys, ...values).catch(() => {}) // its lease ends
    }
  }

  const acquireNext = async (signal: AbortSignal): Promise<ReleaseSlot> => {
    await opened
    const id = randomUUID()
    return (await acquireFromRedis(signal, id)) === 'acquired' ? holdInRedis(id) : local.acquire(signal)
  }
  // Callers of one process ask one after the other: while the first waits, no slot is free for the others.
  const { counts, acquire } = withCounts((signal) => turns.run(() => acquireNext(signal), signal))

  return {
    acquire,
    read: async () => ({ ...counts, limit: await readLimit().catch(local.limit) }),
    async close() {
      clearInterval(renewal)
      redis.disconnect()
    },
  }
}

/** Counts waiting callers and held slots, and ignores a second release of the same slot. */
function withCounts(acquire: SharedSlots['acquire']) {
  const counts = { waiting: 0, held: 0 }
  return {
    counts,
    async acquire(signal: AbortSignal): Promise<ReleaseSlot> {
      counts.waiting++
      const release = await acquire(signal).finally(() => counts.waiting--)
      counts.held++
      let released = false
      return (outcome) => {
        if (released) return
        released = true
        counts.held--
        release(outcome)
      }
    },
  }
}

const pauseOf = ({ retryAfterMs }: { retryAfterMs: number | null }): number =>
  Math.min(MAX_PAUSE_MS, Math.ceil(retryAfterMs ?? DEFAULT_PAUSE_MS))

/** The slots of one process, by the same rules. */
function createLocalSlots(maxSlots: number): Pick<SharedSlots, 'acquire'> & { limit(): number } {
  let limit = maxSlots
  let held = 0
  let done = 0
  let pausedUntil = 0
  const release: ReleaseSlot = (outcome) => {
    held--
    if (outcome.kind === 'throttled') {
      limit = Math.max(1, Math.floor(limit / 2))
      done = 0
      pausedUntil = Math.max(pausedUntil, performance.now() + pauseOf(outcome))
    } else if (limit < maxSlots && ++done >= GROW_AFTER) {
      limit++
      done = 0
    }
  }
  return {
    async acquire(signal) {
      while (held >= limit || performance.now() < pausedUntil) {
        await sleep(MIN_WAIT_MS, undefined, { signal }).catch(() => {})
        signal.throwIfAborted()
      }
      held++
      return release
    },
    limit: () => limit,
  }
}
