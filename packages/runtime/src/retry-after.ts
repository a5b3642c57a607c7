const SECONDS = /^\d+(?:\.\d+)?$/

/**
 * Seconds of a `Retry-After` header, which is a number of them or a date (RFC 9110, section 10.2.3); fractions, which some
 * providers send, count. `null` for none that can be read, or none that lies ahead. `now`: epoch milliseconds.
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | null {
  const value = header?.trim() ?? ''
  const seconds = SECONDS.test(value) ? Number(value) : (Date.parse(value) - now) / 1_000
  return seconds > 0 ? seconds : null
}
