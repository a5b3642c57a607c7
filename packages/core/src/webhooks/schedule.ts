const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600 }
const DURATION = /^(\d+)(s|m|h|min)$/
const JITTER = 0.2

/** Seconds in a list such as `5s,5m,2h`; null when any entry is no duration. */
export function parseSchedule(text: string): number[] | null {
  const seconds = text.split(',').map((entry) => {
    const [, amount, unit] = DURATION.exec(entry.trim()) ?? []
    return amount && unit ? Number(amount) * (UNIT_SECONDS[unit === 'min' ? 'm' : unit] as number) : Number.NaN
  })
  return seconds.some(Number.isNaN) ? null : seconds
}

/**
 * Seconds from attempt `attemptNo` (from 1) to the next, spread by a fifth either way so that deliveries that failed
 * together do not return together; null when the schedule is used up. `random` is in [0, 1).
 */
export function nextDelay(schedule: readonly number[], attemptNo: number, random: number): number | null {
  const delay = schedule[attemptNo - 1]
  return delay === undefined ? null : delay * (1 + JITTER * (2 * random - 1))
}
