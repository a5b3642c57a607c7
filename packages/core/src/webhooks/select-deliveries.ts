import type { ClaimableDelivery } from '@subtext/db'

/** What a deliverer can still take on. */
export interface Capacity {
  slots: number
  /** Of bodies in memory. */
  bytes: number
  /** Little is under way: then a body may be larger than all the room there is. */
  calm: boolean
}

/** Receivers that are slow, and those of which nothing is known yet, have a part of all the room each. */
export interface ClaimCapacity {
  all: Capacity
  slow: Capacity
  new: Capacity
}

/** Bodies up to this size pass by a larger one that does not fit yet: they are soon gone. Larger ones wait behind it. */
export const SMALL_BYTES = 256 * 1024

/** Which of the deliveries, in their order, there is room for. */
export function selectDeliveries(
  found: readonly Pick<ClaimableDelivery, 'id' | 'bytes' | 'pace'>[],
  capacity: ClaimCapacity,
): string[] {
  const left = { all: { ...capacity.all }, slow: { ...capacity.slow }, new: { ...capacity.new } }
  const largest = { all: Number.POSITIVE_INFINITY, slow: Number.POSITIVE_INFINITY, new: Number.POSITIVE_INFINITY }
  const chosen: string[] = []
  for (const { id, bytes, pace } of found) {
    const parts = pace === 'quick' ? (['all'] as const) : ([pace, 'all'] as const)
    const full = parts.find((part) => bytes > largest[part] || !fits(left[part], bytes))
    if (full) largest[full] = SMALL_BYTES
    else {
      for (const part of parts) take(left[part], bytes)
      chosen.push(id)
    }
  }
  return chosen
}

const fits = ({ slots, bytes, calm }: Capacity, needed: number): boolean => slots > 0 && (needed <= bytes || calm)

function take(capacity: Capacity, taken: number): void {
  capacity.slots--
  capacity.bytes -= taken
  capacity.calm = false
}
