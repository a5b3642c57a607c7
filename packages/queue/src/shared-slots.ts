import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '@subtext/runtime'
import { connectRedis, FAIL_FAST, type QueueOptions } from './connection.ts'

/** What became of a call: `throttled`: the other side wants fewer at once, and none before `retryAfterMs` are over. */
export type SlotOutcome = { kind: 'done' } | { kind: 'throttled'; retryAfterMs: number | null }

/** Gives the slot back. */
export type ReleaseSlot = (outcome: SlotOutcome) => void

export interface SlotNumbers {
  /** Of this process. */
  waiting: number
  /** Of this process. */
  held: number
  /** Slots of all processes together, as things are; of this process alone while Redis is away. */
  bound: number
}

/** A bound on what all processes do at once, which shrinks when the other side complains and grows back by and by. */
export interface SharedSlots {
  /** Waits for a slot, in the order in which this process asks. Rejects with the signal's reason when that is aborted. */
  acquire(signal: AbortSignal): Promise<ReleaseSlot>
  read(): Promise<SlotNumbers>
  close(): Promise<void>
}

interface SharedSlotsOptions extends Pick<QueueOptions, 'url' | 'prefix'> {
  /** Whose slots these are. */
  name: string
  /** Slots of all processes together. */
  most: number
  /** Slots of this process alone, for as long as Redis is away. */
  mostAlone: number
  /** How long a slot may be held at most; one of a process that died is free again after that. Milliseconds. */
  holdMs: number
}

const FIRST_WAIT_MS = 25
const LONGEST_WAIT_MS = 500
/** With so many calls done, one more may be made at once. */
const GROW_AFTER = 10
/** Complaints about calls that were sent before the bound shrank do not shrink it again. */
const SHRINK_AT_MOST_EVERY_MS = 1_000
/** Who does not know how long to wait waits so long. */
const DEFAULT_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 60_000
const ASK_AGAIN_AFTER_MS = 1_000
const OPEN_TIMEOUT_MS = 2_000

// All times are those of the server. KEYS: slots, state. The bound is kept until nobody has wanted a slot for a while.
const NOW = "local t = redis.call('time'); local now = t[1] * 1000 + math.floor(t[2] / 1000)"

/** ARGV: id, most, hold. 0: acquired; else how long to wait at least. */
const ACQUIRE = `${NOW}
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
local pause = tonumber(redis.call('hget', KEYS[2], 'until') or '0') - now
if pause > 0 then return math.ceil(pause) end
local bound = math.min(tonumber(ARGV[2]), tonumber(redis.call('hget', KEYS[2], 'bound') or ARGV[2]))
if redis.call('zcard', KEYS[1]) >= bound then return 1 end
redis.call('zadd', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[3]) then redis.call('pexpire', KEYS[1], ARGV[3]) end
return 0`

/** ARGV: id, most, pause (empty when the call was done), calls before it grows, time between shrinkings, how long it is kept. */
const RELEASE = `${NOW}
redis.call('zrem', KEYS[1], ARGV[1])
local most = tonumber(ARGV[2])
local bound = math.min(most, tonumber(redis.call('hget', KEYS[2], 'bound') or ARGV[2]))
if ARGV[3] ~= '' then
  local last = tonumber(redis.call('hget', KEYS[2], 'shrunk') or '0')
  if now - last >= tonumber(ARGV[5]) then
    redis.call('hset', KEYS[2], 'bound', math.max(1, math.floor(bound / 2)), 'shrunk', now, 'done', 0)
  end
  local till = now + tonumber(ARGV[3])
  if till > tonumber(redis.call('hget', KEYS[2], 'until') or '0') then redis.call('hset', KEYS[2], 'until', till) end
elseif bound < most then
  if redis.call('hincrby', KEYS[2], 'done', 1) >= tonumber(ARGV[4]) then
    redis.call('hset', KEYS[2], 'bound', bound + 1, 'done', 0)
  end
end
redis.call('pexpire', KEYS[2], ARGV[6])
return 0`

const KEEP_STATE_MS = 10 * 60_000

export function createSharedSlots(options: SharedSlotsOptions): SharedSlots {
  const { prefix, name, most, mostAlone, holdMs } = options
  const redis = connectRedis(options, { ...FAIL_FAST, commandTimeout: 1_000 })
  redis.on('error', () => {}) // whoever asks finds out
  const opened = Promise.race([
    new Promise<void>((resolve) => {
      for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve())
    }),
    sleep(OPEN_TIMEOUT_MS, undefined, { ref: false }),
  ])
  const stateKey = `${prefix}:slots:${name}:state`
  const keys = [`${prefix}:slots:${name}`, stateKey]
  const alone = createLocalBound(mostAlone)
  const line = createSemaphore(1)
  let awayUntil = 0

  const askRedis = async (signal: AbortSignal, id: string): Promise<'acquired' | 'away'> => {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
      signal.throwIfAborted()
      if (performance.now() < awayUntil) return 'away'
      let pause: number
      try {
        pause = Number(await redis.eval(ACQUIRE, keys.length, ...keys, id, most, holdMs))
      } catch {
        awayUntil = performance.now() + ASK_AGAIN_AFTER_MS
        return 'away'
      }
      if (pause === 0) return 'acquired'
      // A pause is over for everybody at once; they shall not all come at once.
      const spread = Math.random() * wait
      await sleep(Math.min(Math.max(wait, pause), LONGEST_PAUSE_MS) + spread, undefined, { signal }).catch(() => {})
    }
  }

  const readBound = async (): Promise<number> => {
    if (performance.now() < awayUntil) return alone.bound()
    return Math.min(most, Number((await redis.hget(stateKey, 'bound')) ?? most))
  }

  const releaseRedis =
    (id: string): ReleaseSlot =>
    (outcome) => {
      const pause = outcome.kind === 'throttled' ? pauseOf(outcome) : ''
      const terms = [id, most, pause, GROW_AFTER, SHRINK_AT_MOST_EVERY_MS, KEEP_STATE_MS]
      redis.eval(RELEASE, keys.length, ...keys, ...terms).catch(() => {}) // the slot is free when its time is over
    }

  const acquireNext = async (signal: AbortSignal): Promise<ReleaseSlot> => {
    await opened
    const id = randomUUID()
    return (await askRedis(signal, id)) === 'acquired' ? releaseRedis(id) : alone.acquire(signal)
  }
  // One of a process asks at a time: the others would only ask in vain.
  const { counts, acquire } = countThem((signal) => line.run(() => acquireNext(signal), signal))

  return {
    acquire,
    read: async () => ({ ...counts, bound: await readBound().catch(alone.bound) }),
    async close() {
      redis.disconnect()
    },
  }
}

/** Knows who waits and who is inside, and lets no slot be released twice. */
function countThem(acquire: SharedSlots['acquire']) {
  const counts = { waiting: 0, held: 0 }
  return {
    counts,
    async acquire(signal: AbortSignal): Promise<ReleaseSlot> {
      counts.waiting++
      const release = await acquire(signal).finally(() => counts.waiting--)
      counts.held++
      let left = false
      return (outcome) => {
        if (left) return
        left = true
        counts.held--
        release(outcome)
      }
    },
  }
}

const pauseOf = ({ retryAfterMs }: { retryAfterMs: number | null }): number =>
  Math.min(LONGEST_PAUSE_MS, Math.ceil(retryAfterMs ?? DEFAULT_PAUSE_MS))

/** The bound of one process, by the same rules. */
function createLocalBound(most: number): Pick<SharedSlots, 'acquire'> & { bound(): number } {
  let bound = most
  let inside = 0
  let done = 0
  let pausedUntil = 0
  const release: ReleaseSlot = (outcome) => {
    inside--
    if (outcome.kind === 'throttled') {
      bound = Math.max(1, Math.floor(bound / 2))
      done = 0
      pausedUntil = Math.max(pausedUntil, performance.now() + pauseOf(outcome))
    } else if (bound < most && ++done >= GROW_AFTER) {
      bound++
      done = 0
    }
  }
  return {
    async acquire(signal) {
      while (inside >= bound || performance.now() < pausedUntil) {
        await sleep(FIRST_WAIT_MS, undefined, { signal }).catch(() => {})
        signal.throwIfAborted()
      }
      inside++
      return release
    },
    bound: () => bound,
  }
}
