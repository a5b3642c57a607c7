import { SubtextError, TimeoutError } from '../errors.ts'
import { MAX_TIMER_MS } from './sleep.ts'

/** Aborts `run`, and throws a `TimeoutError` with the message, once `timeoutMs` and `graceMs` are over. */
export async function withDeadline<T>(
  { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number },
  message: string,
  run: (signal: AbortSignal) => Promise<T>,
  graceMs = 0,
): Promise<T> {
  const deadline = new AbortController()
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => deadline.abort(), Math.min(timeoutMs + graceMs, MAX_TIMER_MS))
  try {
    return await run(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SubtextError || !deadline.signal.aborted) throw error
    throw new TimeoutError(message, { code: 'TIMEOUT', retryable: true, cause: error })
  } finally {
    clearTimeout(timer)
  }
}
