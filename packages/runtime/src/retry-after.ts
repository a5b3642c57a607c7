const SECONDS = /^\d+(?:\.\d+)?$/

/**
 * Returns the seconds of a `Retry-After` header, which contains a number of seconds or a date (RFC 9110, section 10.2.3).
 * Accepts fractions, which some providers send. Returns `null` for a malformed value or a time in the past. `now` is in
 * epoch milliseconds.
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | null {
  const value = header?.trim() ?? ''
  const seconds = SECONDS.test(value) ? Number(value) : (Date.parse(value) - now) / 1_000
  return seconds > 0 ? seconds : null
}
