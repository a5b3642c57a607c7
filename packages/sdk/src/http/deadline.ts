import { SubtextError, TimeoutError } from '../errors.ts'
import { timerMs } from './sleep.ts'

/**
 * Aborts `run` once `timeoutMs` is over. Then returns what `lookAgain` returns, or throws a `TimeoutError` with the message if
 * that is undefined or fails for now.
 */
export async function withDeadline<T>(
  { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number },
  message: string,
  run: (signal: AbortSignal) => Promise<T>,
  lookAgain?: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = new AbortController()
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => deadline.abort(), timerMs(timeoutMs))
  try {
    return await run(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SubtextError || !deadline.signal.aborted) throw error
    const result = await lookAgain?.().catch((failure: unknown) => {
      if (!(failure instanceof SubtextError && failure.retryable)) throw failure
    })
    if (result !== undefined) return result
    throw new TimeoutError(message, { code: 'TIMEOUT', retryable: true, cause: error })
  } finally {
    clearTimeout(timer)
  }
}
