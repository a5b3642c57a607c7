import { isDatabaseUnavailable } from '@subtext/core/coordination'

/** Remembers whether the database was unavailable a moment ago. */
export interface RecentOutage {
  /** Notes that the database failed or served. */
  note(error: unknown): void
  /** Returns false during an outage and for `afterMs` after it. */
  isOver(): boolean
}

/** `now` returns milliseconds; replaced in tests only. */
export function createRecentOutage(afterMs: number, now: () => number = () => performance.now()): RecentOutage {
  let ongoing = false
  let overAt = Number.NEGATIVE_INFINITY
  return {
    note(error) {
      if (isDatabaseUnavailable(error)) ongoing = true
      else if (ongoing) {
        ongoing = false
        overAt = now() + afterMs
      }
    },
    isOver: () => !ongoing && now() >= overAt,
  }
}
