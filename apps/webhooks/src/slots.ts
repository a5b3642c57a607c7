import type { Capacity, ClaimCapacity, ClaimedDelivery } from '@subtext/core/webhooks'

export interface SlotTerms {
  /** Attempts that may be in their first moments at once. */
  concurrency: number
  /** How long an attempt may take before it steps aside. */
  patienceMs: number
  /** Of all bodies in memory. */
  maxBytes: number
  /** Told when a slot has become free. */
  onFree: () => void
}

export interface Slots {
  capacity(): ClaimCapacity
  /** Takes a slot for an attempt; returns how to give it back. */
  take(delivery: Pick<ClaimedDelivery, 'body' | 'pace'>): () => void
}

/** Attempts that have stepped aside cost little more than a socket each: so many for every slot. */
const ASIDE_PER_SLOT = 10

/** Parts of all places and of all memory: however many receivers hang, the others find capacity. */
const SHARES = { all: 1, new: 1 / 2, slow: 1 / 4 }

/** Counts what is under way. An attempt that is not answered at once steps aside: it goes on, and its slot serves the next. */
export function createSlots({ concurrency, patienceMs, maxBytes, onFree }: SlotTerms): Slots {
  const places = concurrency * (1 + ASIDE_PER_SLOT)
  const taken = { all: { count: 0, bytes: 0 }, new: { count: 0, bytes: 0 }, slow: { count: 0, bytes: 0 } }
  let held = 0

  const capacityOf = (part: keyof ClaimCapacity): Capacity => ({
    slots: Math.floor(places * SHARES[part]) - taken[part].count,
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
    take({ body, pace }) {
      const counters = pace === 'quick' ? [taken.all] : [taken.all, taken[pace]]
      for (const counter of counters) {
        counter.count++
        counter.bytes += body.length
      }
      held++
      let holds = true
      const giveBack = (): void => {
        holds = false
        held--
        onFree()
      }
      const timer = setTimeout(giveBack, patienceMs).unref()
      return () => {
        clearTimeout(timer)
        for (const counter of counters) {
          counter.count--
          counter.bytes -= body.length
        }
        if (holds) giveBack()
        else onFree()
      }
    },
  }
}
