import type { Capacity, ClaimCapacity, ClaimedDelivery } from '@subtext/core/webhooks'

export interface SlotOptions {
  /** Attempts that can hold a slot at the same time. */
  concurrency: number
  /** Milliseconds after which an attempt that is still running releases its slot and continues without one. */
  detachAfterMs: number
  /** Limit for the size of all bodies in memory. */
  maxBytes: number
  /** Called whenever a slot or memory becomes free. */
  onFree: () => void
}

export interface Slots {
  /** Returns how many more deliveries may be claimed, in total and by the pace of their receiver. */
  capacity(): ClaimCapacity
  /** Returns how many slots are held, and how many are free. */
  use(): { busy: number; free: number }
  /** Takes a slot for an attempt and returns the function that releases it. */
  take(delivery: Pick<ClaimedDelivery, 'body' | 'pace'>): () => void
}

/** A detached attempt costs little more than a socket, so each slot can have this many of them. */
const MAX_DETACHED_PER_SLOT = 10

/** Shares of all attempts and all memory. They keep receivers that hang from taking the capacity of the others. */
const SHARES = { all: 1, new: 1 / 2, slow: 1 / 4 }

/**
 * Limits the attempts in progress. An attempt that gets no prompt response is detached: it continues, but its slot serves
 * the next one.
 */
export function createSlots({ concurrency, detachAfterMs, maxBytes, onFree }: SlotOptions): Slots {
  const maxAttempts = concurrency * (1 + MAX_DETACHED_PER_SLOT)
  const taken = { all: { count: 0, bytes: 0 }, new: { count: 0, bytes: 0 }, slow: { count: 0, bytes: 0 } }
  let held = 0

  const capacityOf = (part: keyof ClaimCapacity): Capacity => ({
    slots: Math.floor(maxAttempts * SHARES[part]) - taken[part].count,
    bytes: maxBytes * SHARES[part] - taken[part].bytes,
    calm: taken[part].bytes <= (maxBytes * SHARES[part]) / 4,
  })
  return {
    capacity() {
      const all = capacityOf('all')
      return {
        all: { ...all, slots: Math.min(concurrency - held, all.slots) },
        new: capacityOf('new'),
        slow: capacityOf('slow'),
      }
    },
    use: () => ({ busy: held, free: Math.max(0, concurrency - held) }),
    take({ body, pace }) {
      const counters = pace === 'quick' ? [taken.all] : [taken.all, taken[pace]]
      for (const counter of counters) {
        counter.count++
        counter.bytes += body.length
      }
      held++
      let holdsSlot = true
      const releaseSlot = (): void => {
        holdsSlot = false
        held--
        onFree()
      }
      const timer = setTimeout(releaseSlot, detachAfterMs).unref()
      return () => {
        clearTimeout(timer)
        for (const counter of counters) {
          counter.count--
          counter.bytes -= body.length
        }
        if (holdsSlot) releaseSlot()
        else onFree()
      }
    },
  }
}
