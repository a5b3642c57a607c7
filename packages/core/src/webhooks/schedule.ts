const JITTER = 0.2

/**
 * Returns the seconds from attempt `attemptNo` (from 1) to the next, with 20% of jitter either way, so that deliveries that
 * failed together are not retried together. Returns null if the schedule is used up. `random` is in [0, 1).
 */
export function nextDelay(schedule: readonly number[], attemptNo: number, random: number): number | null {
  const delay = schedule[attemptNo - 1]
  return delay === undefined ? null : delay * (1 + JITTER * (2 * random - 1))
}
