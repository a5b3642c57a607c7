/** Every ID is between these two. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the lowest ID at `time`. IDs begin with the milliseconds of their creation (RFC 9562, section 5.7). */
export const firstIdAt = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const TEN_YEARS_MS = 10 * 365 * 86_400_000

/**
 * Returns an ID above all those that begin with the time. The IDs of shared copies do not; almost all are above it, and one in a
 * thousand is between the present time and it. Ten years, because a process whose clock was ahead for a moment creates IDs of that
 * moment until it ends or time has caught up.
 */
export const highestIdAt = (now: Date): string => firstIdAt(new Date(now.getTime() + TEN_YEARS_MS))

/** A page of a list, newest first. */
export interface PageRequest {
  /** Only items older than the one with this ID; null: all items. */
  before: string | null
  /** Number of items to skip from there. */
  skip: number
  limit: number
}
