const MIN_SECONDS = 2
const MAX_SECONDS = 60

const retryAfter = (seconds: number): Record<string, string> => ({ 'Retry-After': String(seconds) })

/** Tells clients in how many seconds to ask again for something that is still in progress. */
export const POLL_AGAIN = retryAfter(MIN_SECONDS)

/**
 * Works like `POLL_AGAIN`, but waits for `resumesAt` if the work is paused until then: asking earlier would only use up the
 * client's request limit.
 */
export function pollAgain(resumesAt: Date | null, now: Date): Record<string, string> {
  const seconds = resumesAt ? Math.ceil((resumesAt.getTime() - now.getTime()) / 1_000) : 0
  return retryAfter(Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, seconds)))
}
