import type { Lane } from '@subtext/contracts'

/** Queue name of a lane. */
export const laneQueue = (lane: Lane): string => `jobs-${lane}`

export interface LaneSlots {
  high: number
  normal: number
}

/**
 * Divides a worker's slots: a quarter is always the normal lane's, so that a flood of urgent jobs cannot
 * starve it; the rest is reserved for the high lane.
 */
export function divideSlots(concurrency: number, lanes: readonly Lane[]): LaneSlots {
  if (lanes.length === 1)
    return lanes[0] === 'high' ? { high: concurrency, normal: 0 } : { high: 0, normal: concurrency }
  const normal = concurrency === 1 ? 0 : Math.ceil(concurrency / 4)
  return { high: concurrency - normal, normal }
}

/**
 * Slots the normal lane may use now: its own and those the high lane leaves idle. The high lane keeps its slots all the
 * same: a job that arrives there starts at once, and the borrowed slot is not lent again when its job has ended. A worker
 * therefore holds for a moment up to `high` jobs more than its concurrency.
 */
export const normalSlots = (slots: LaneSlots, activeHigh: number): number =>
  Math.max(1, slots.normal + Math.max(0, slots.high - activeHigh))

/** How a lane of a worker is filled. */
export interface LaneCapacity {
  /** Slots the lane may use now. */
  slots: number
  /** Of them, those without a job; below 0 while lent slots are not back yet. */
  free: number
  /** Of them, those that are kept for accounts with little under way. */
  reserve: number
}

/** An eighth is kept, at least one; nothing where that would be a large part of the lane. */
export function capacityOf(slots: number, active: number): LaneCapacity {
  const reserve = slots < 4 ? 0 : Math.max(1, Math.floor(slots / 8))
  return { slots, free: slots - active, reserve }
}
