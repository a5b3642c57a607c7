const UNIT_SECONDS = new Map([
  ['s', 1],
  ['m', 60],
  ['min', 60],
  ['h', 3_600],
])
const DURATION = /^(\d+)(s|m|h|min)$/
const JITTER = 0.2

/** Parses a list such as `5s,5m,2h` into seconds. Returns null if an entry is not a duration. */
export function parseSchedule(text: string): number[] | null {
  const seconds = text.split(',').map((entry) => {
    const [, amount, unit = ''] = DURATION.exec(entry.trim()) ?? []
    return Number(amount) * (UNIT_SECONDS.get(unit) ?? Number.NaN)
  })
  return seconds.some(Number.isNaN) ? null : seconds
}

/**
 * Returns the seconds from attempt `attemptNo` (from 1) to the next, with 20% of jitter either way, so that deliveries that
 * failed together are not retried together. Returns null if the schedule is used up. `random` is in [0, 1).
 */
export function nextDelay(schedule: readonly number[], attemptNo: number, random: number): number | null {
  const delay = schedule[attemptNo - 1]
  return delay === undefined ? null : delay * (1 + JITTER * (2 * random - 1))
}
