/** Longest delay that timers take (about 25 days). A longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns a delay that timers take. Newer runtimes warn of negative ones. */
export const timerMs = (ms: number): number => Math.max(0, Math.min(ms, MAX_TIMER_MS))

/** Resolves after `ms` milliseconds. Rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    // Node.js warns of more than ten listeners of a signal, which calls may well share.
    const own = signal && AbortSignal.any([signal])
    const timer = setTimeout(() => {
      if (own) own.onabort = null
      resolve()
    }, timerMs(ms))
    if (!own) return
    own.onabort = () => {
      clearTimeout(timer)
      reject(own.reason)
    }
  })
}

const BASE_DELAY_MS = 500
const MAX_DELAY_MS = 8_000

/**
 * Returns the pause before retry `attempt` (starting at 0) in milliseconds: what the response requests, if anything, and an
 * exponential backoff with equal jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), which
 * grows even if the service requests no pause at all.
 */
export function pauseMs(attempt: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const backoff = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt)
  return retryAfterMs + (backoff * (1 + random())) / 2
}
