import type { Capacity, ClaimCapacity, ClaimedDelivery } from '@subtext/core/webhooks'
import { createSemaphore } from '@subtext/runtime'

export interface SlotOptions {
  /** Attempts that can hold a slot at the same time. */
  concurrency: number
  /** Milliseconds after which an attempt that has not ended releases its slot and continues without one. */
  detachAfterMs: number
  /** Milliseconds after its claim from which the attempt at a delivery may no longer begin. */
  beginWithinMs: number
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
  /** Counts a delivery that was claimed at this time, in milliseconds of `performance.now()`. */
  take(delivery: Pick<ClaimedDelivery, 'body' | 'pace'>, claimedAt: number): Place
}

/** The place of a claimed delivery. */
export interface Place {
  /**
   * Waits for a slot, which is held until `releaseSlot` is called or the attempt takes too long. Resolves with false if the
   * attempt may not begin any more.
   */
  waitForSlot(): Promise<boolean>
  /** Lets another attempt begin while the outcome of this one is being recorded. */
  releaseSlot(): void
  /** Gives up the place and, if it is still held, the slot. Call it once, after `waitForSlot` has resolved. */
  leave(): void
}

/** A detached attempt costs little more than a socket, so each slot can have this many of them. */
const MAX_DETACHED_PER_SLOT = 10

/** Shares of all attempts and all memory. They keep receivers that hang from taking the capacity of the others. */
const SHARES = { all: 1, new: 1 / 2, slow: 1 / 4 }

/** An attempt that ends within this time lets another delivery be claimed before it has a slot. */
const PROMPT_MS = 50

/**
 * Limits the attempts in progress. An attempt that gets no prompt response is detached: it continues, but its slot serves
 * the next one.
 *
 * While attempts end promptly, claims take more deliveries than slots are free, so that fewer claims are needed: as many more
 * as have ended promptly since the claim before, at most one for each slot. Only deliveries to quick receivers are claimed in
 * advance.
 */
export function createSlots({ concurrency, detachAfterMs, beginWithinMs, maxBytes, onFree }: SlotOptions): Slots {
  const maxAttempts = concurrency * (1 + MAX_DETACHED_PER_SLOT)
  const taken = { all: { count: 0, bytes: 0 }, new: { count: 0, bytes: 0 }, slow: { count: 0, bytes: 0 } }
  const slots = createSemaphore(concurrency)
  /** Claimed deliveries that are not detached: they wait for a slot, hold one, or their outcome is being recorded. */
  let attached = 0
  let promptSinceClaim = 0

  const capacityOf = (part: keyof ClaimCapacity, limit: number): Capacity => ({
    slots: Math.min(limit, Math.floor(maxAttempts * SHARES[part]) - taken[part].count),
    bytes: maxBytes * SHARES[part] - taken[part].bytes,
    calm: taken[part].bytes <= (maxBytes * SHARES[part]) / 4,
  })
  return {
    capacity() {
      const free = concurrency - attached
      return {
        all: capacityOf('all', free + Math.min(concurrency, promptSinceClaim)),
        new: capacityOf('new', free),
        slow: capacityOf('slow', free),
      }
    },
    claimBegins() {
      promptSinceClaim = 0
    },
    use() {
      const busy = Math.min(concurrency, attached)
      return { busy, free: concurrency - busy }
    },
    take({ body, pace }, claimedAt) {
      const counters = pace === 'quick' ? [taken.all] : [taken.all, taken[pace]]
      for (const counter of counters) {
        counter.count++
        counter.bytes += body.length
      }
      attached++
      let isAttached = true
      let beganAt: number | undefined
      let timer: NodeJS.Timeout | undefined
      const releaseSlot = (): void => {
        if (beganAt === undefined) return
        if (isAttached && performance.now() - beganAt < PROMPT_MS) promptSinceClaim++
        beganAt = undefined
        slots.release()
      }
      const detach = (): void => {
        isAttached = false
        attached--
        releaseSlot()
        onFree()
      }
      return {
        async waitForSlot() {
          await slots.acquire()
          beganAt = performance.now()
          timer = setTimeout(detach, detachAfterMs).unref()
          return beganAt - claimedAt < beginWithinMs
        },
        releaseSlot,
        leave() {
          clearTimeout(timer)
          for (const counter of counters) {
            counter.count--
            counter.bytes -= body.length
          }
          releaseSlot()
          if (isAttached) attached--
          onFree()
        },
      }
    },
  }
}
