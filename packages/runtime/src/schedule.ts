import { z } from 'zod'

const UNIT_SECONDS = new Map([
  ['s', 1],
  ['m', 60],
  ['min', 60],
  ['h', 3_600],
])
const DURATION = /^(\d+)(s|m|h|min)$/
/** PostgreSQL could not store the time that follows from an absurd duration. */
const MAX_SECONDS = 366 * 86_400

/** A setting such as `5s,5m,2h`, as seconds. */
export const schedule = z.string().transform((text, issue) => {
  const seconds = parseSchedule(text)
  if (seconds?.every((duration) => duration <= MAX_SECONDS)) return seconds
  issue.addIssue(seconds ? 'Must not exceed a year (8784h).' : 'Must be a list of durations, such as 5s,5m,2h.')
  return z.NEVER
})

/** Returns null if an entry is not a duration. */
function parseSchedule(text: string): number[] | null {
  const seconds = text.split(',').map((entry) => {
    const [, amount, unit = ''] = DURATION.exec(entry.trim()) ?? []
    return Number(amount) * (UNIT_SECONDS.get(unit) ?? Number.NaN)
  })
  return seconds.some(Number.isNaN) ? null : seconds
}
