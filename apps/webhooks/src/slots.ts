import type { Capacity, ClaimCapacity, ClaimedDelivery } from '@subtext/core/webhooks'
import { createSemaphore } from '@subtext/runtime'

export interface SlotOptions {
  /** Attempts that can hold a slot at the same time. */
  concurrency: number
  /** Milliseconds after which an attempt that has not ended releases its slot and continues without one. */
  detachAfterMs: number
  /** An attempt that ends within this time lets another delivery be claimed before it has a slot. */
  promptMs: number
  /** Limit for the size of all bodies in memory. */
  maxBytes: number
  /** Called whenever another delivery could be claimed. */
  onFree: () => void
}

export interface Slots {
  /** Returns how many more deliveries may be claimed, in total and by the pace of their receiver. */
  capacity(): ClaimCapacity
  /** Notes that a claim begins. The attempts that end from now on count for the next one. */
  claimBegins(): void
  /** Returns how many slots are taken, and how many are free. */
  use(): { busy: number; free: number }
  /** Counts a claimed delivery. */
  take(delivery: Pick<ClaimedDelivery, 'body' | 'pace'>): DeliveryPlace
}

/** The place of a claimed delivery. */
export interface DeliveryPlace {
  /** Waits for a slot, which is held until the attempt has ended or takes too long. */
  waitForSlot(): Promise<void>
  /** Notes that the attempt has ended: another one can begin while its outcome is being recorded. */
  attemptEnded(): void
  /** Gives up the place and, if it is still held, the slot. Call it once, and not while `waitForSlot` is pending. */
  leave(): void
}

/** A detached attempt costs little more than a socket, so each slot can have this many of them. */
const MAX_DETACHED_PER_SLOT = 10

/** Shares of all attempts and all memory. They keep receivers that hang from taking the capacity of the others. */
const SHARES = { all: 1, new: 1 / 2, slow: 1 / 4 }

/**
 * Limits the attempts in progress. An attempt that gets no prompt response is detached: it continues, but its slot serves
 * the next one.
 *
 * While attempts end promptly, claims take more deliveries than slots are free, so that fewer claims are needed: as many more
 * as have ended promptly since the claim before, at most one for each slot. Deliveries to slow and new receivers together never
 * take more places than there are slots, so that those to quick ones wait for them no longer than without this.
 */
export function createSlots({ concurrency, detachAfterMs, promptMs, maxBytes, onFree }: SlotOptions): Slots {
  const maxAttempts = concurrency * (1 + MAX_DETACHED_PER_SLOT)
  // Attached are those that wait for a slot, hold one, or whose outcome is being recorded, unless they were detached.
  const none = { count: 0, attached: 0, bytes: 0 }
  const taken = { all: { ...none }, new: { ...none }, slow: { ...none } }
  const slots = createSemaphore(concurrency)
  let promptSinceClaim = 0

  const capacityOf = (part: keyof typeof SHARES): Capacity => ({
    slots: Math.floor(maxAttempts * SHARES[part]) - taken[part].count,
    bytes: maxBytes * SHARES[part] - taken[part].bytes,
    calm: taken[part].bytes <= (maxBytes * SHARES[part]) / 4,
  })
  return {
    capacity() {
      const all = capacityOf('all')
      const unproven = taken.new.attached + taken.slow.attached
      const ahead = Math.min(concurrency, promptSinceClaim)
      return {
        all: { ...all, slots: Math.min(concurrency - taken.all.attached + ahead, all.slots) },
        new: capacityOf('new'),
        slow: capacityOf('slow'),
        unproven: { slots: concurrency - unproven, bytes: Number.POSITIVE_INFINITY, calm: true },
      }
    },
    claimBegins() {
      promptSinceClaim = 0
    },
    use() {
      const busy = Math.min(concurrency, taken.all.attached)
      return { busy, free: concurrency - busy }
    },
    take({ body, pace }) {
      const counters = pace === 'quick' ? [taken.all] : [taken.all, taken[pace]]
      for (const counter of counters) {
        counter.count++
        counter.attached++
        counter.bytes += body.length
      }
      let isAttached = true
      let holdsSlot = false
      let beganAt = 0
      let timer: NodeJS.Timeout | undefined
      const releaseSlot = (): void => {
        if (holdsSlot) slots.release()
        holdsSlot = false
      }
      const detach = (): void => {
        if (isAttached) for (const counter of counters) counter.attached--
        isAttached = false
        releaseSlot()
        onFree()
      }
      return {
        async waitForSlot() {
          await slots.acquire()
          holdsSlot = true
          beganAt = performance.now()
          timer = setTimeout(detach, detachAfterMs).unref()
        },
        attemptEnded() {
          if (performance.now() - beganAt < promptMs) promptSinceClaim++
          releaseSlot()
        },
        leave() {
          clearTimeout(timer)
          for (const counter of counters) {
            counter.count--
            counter.bytes -= body.length
          }
          detach()
        },
      }
    },
  }
}
