import type { Lane } from '@subtext/contracts'

/** Returns the name of a lane's queue. */
export const laneQueue = (lane: Lane): string => `jobs-${lane}`

/** In the ID of a task, separates that of its job from what makes a further task of the same job a different one. */
export const FURTHER_TASK = '.'

export interface LaneSlots {
  high: number
  normal: number
}

/**
 * Divides a worker's slots. A quarter always belongs to the normal lane, so that a flood of urgent jobs cannot starve
 * it; the rest is reserved for the high lane.
 */
export function divideSlots(concurrency: number, lanes: readonly Lane[]): LaneSlots {
  if (lanes.length === 1)
    return lanes[0] === 'high' ? { high: concurrency, normal: 0 } : { high: 0, normal: concurrency }
  const normal = concurrency === 1 ? 0 : Math.ceil(concurrency / 4)
  return { high: concurrency - normal, normal }
}

/**
 * Returns the slots the normal lane may use now: its own, and those the high lane leaves idle. The high lane keeps its
 * slots regardless: a job that arrives there starts at once, and the borrowed slot is not lent again when its job ends.
 * For a moment, a worker may therefore hold up to `high` jobs more than its concurrency.
 */
export const normalSlots = (slots: LaneSlots, activeHigh: number): number =>
  Math.max(1, slots.normal + Math.max(0, slots.high - activeHigh))

/** How full a lane of a worker is. */
export interface LaneCapacity {
  /** Slots the lane may use now. */
  slots: number
  /** How many of them have no job. Negative until borrowed slots have been returned. */
  free: number
  /** How many of them are kept for accounts with few running jobs. */
  reserve: number
}

/** Computes a lane's capacity. The reserve is an eighth of the slots, at least one; small lanes have none. */
export function capacityOf(slots: number, active: number): LaneCapacity {
  const reserve = slots < 4 ? 0 : Math.max(1, Math.floor(slots / 8))
  return { slots, free: slots - active, reserve }
}
