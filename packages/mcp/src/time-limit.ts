import { randomUUID } from 'node:crypto'
import { type RequestOptions, SubtextError } from '@subtext/sdk'

/** Clients give up on a call after 60 seconds; without an answer, they would not know the ID of the job. */
export const LIMIT_MS = 50_000
/** Time that an attempt needs. A request is not repeated if less is left. */
const ATTEMPT_MS = 10_000
/** Maximum time of a request whose answer a call can do without. */
const GLANCE_MS = 5_000
const MAX_RETRIES = 3
const FIRST_PAUSE_MS = 500

type Request<T> = (options: RequestOptions) => Promise<T>

/** The time that a call has for all of its requests to the API. */
export interface TimeLimit {
  /**
   * Sends a request, and repeats it after failures that can pass, at most three times. Throws the last error as soon as there is
   * no time for another attempt.
   */
  send<T>(request: Request<T>): Promise<T>
  /** Sends a request once, for a few seconds at most. Returns undefined if it fails. */
  glance<T>(request: Request<T>): Promise<T | undefined>
}

/** Starts the time limit of a call. `signal`: that of the call. */
export function startTimeLimit(signal: AbortSignal, limitMs = LIMIT_MS): TimeLimit {
  const deadline = performance.now() + limitMs
  const left = (): number => deadline - performance.now()
  return {
    async send(request) {
      // One key for all attempts: if the answer to one is lost or late, the next one gets it.
      const idempotencyKey = randomUUID()
      for (let retries = 0; ; ) {
        // At most half of the time, so that an attempt whose answer is lost is not the last one.
        const timeoutMs = Math.max(1, Math.min(left(), Math.max(ATTEMPT_MS, left() / 2)))
        try {
          return await request({ signal, idempotencyKey, maxRetries: 0, timeoutMs })
        } catch (error) {
          if (!isPassing(error) || retries >= MAX_RETRIES) throw error
          const pauseMs = (error.retryAfterMs ?? 0) + FIRST_PAUSE_MS * 2 ** retries
          if (left() - pauseMs < ATTEMPT_MS) throw error
          // An earlier attempt is still being answered, which is no failure.
          if (error.code !== 'IDEMPOTENCY_IN_PROGRESS') retries++
          await pause(pauseMs, signal)
        }
      }
    },
    async glance(request) {
      if (left() <= 0) return undefined
      try {
        return await request({ signal, maxRetries: 0, timeoutMs: Math.min(left(), GLANCE_MS) })
      } catch {
        signal.throwIfAborted()
        return undefined
      }
    },
  }
}

/** Codes of errors that say how a job is or why it failed, which does not change because a request is repeated. */
const STATES_OF_JOBS = new Set<string>([
  ...['JOB_NOT_COMPLETED', 'LIVE_NOT_ENDED', 'PROCESSING_TIMEOUT'],
  ...['UPSTREAM_BLOCKED', 'UPSTREAM_UNAVAILABLE', 'SUMMARY_UNAVAILABLE'],
])

/** Returns whether a request can succeed if it is repeated. */
export const isPassing = (error: unknown): error is SubtextError =>
  error instanceof SubtextError && error.retryable && !STATES_OF_JOBS.has(error.code)

/** With the global timers, so that tests can replace them. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
