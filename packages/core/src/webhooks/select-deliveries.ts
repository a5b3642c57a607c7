import type { ClaimableDelivery } from './claim-sql.ts'

/** What a deliverer can take on now. */
export interface Capacity {
  slots: number
  /** Memory for bodies. */
  bytes: number
  /** Whether little is in progress, so that a body may be accepted even if it is larger than the free memory. */
  calm: boolean
}

/** Slow receivers and unknown receivers each get only a part of the capacity, and share one limit. */
export interface ClaimCapacity {
  all: Capacity
  slow: Capacity
  new: Capacity
  /** Of slow and new receivers together. */
  unproven: Capacity
}

/** Bodies up to this size may overtake a larger one that does not fit yet, since they finish soon. Larger ones wait. */
export const SMALL_BYTES = 256 * 1024

/** Returns the IDs of the deliveries that fit, in their order. */
export function selectDeliveries(
  found: readonly Pick<ClaimableDelivery, 'id' | 'bytes' | 'pace'>[],
  capacity: ClaimCapacity,
): string[] {
  const left = structuredClone(capacity)
  const largest: Partial<Record<keyof ClaimCapacity, number>> = {}
  const chosen: string[] = []
  for (const { id, bytes, pace } of found) {
    const parts = pace === 'quick' ? (['all'] as const) : ([pace, 'unproven', 'all'] as const)
    const full = parts.find((part) => bytes > (largest[part] ?? Number.POSITIVE_INFINITY) || !fits(left[part], bytes))
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
