/**
 * Runs work with a signal that aborts together with `outer`, or with a `TimeoutError` after `ms` milliseconds.
 *
 * `AbortSignal.any([AbortSignal.timeout(ms), ...])` is not enough: the composite signal does not keep the timeout signal
 * alive, which may be garbage-collected and then never fires (https://github.com/nodejs/node/issues/57736).
 */
export async function withTimeout<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new DOMException('The time is up.', 'TimeoutError')), ms)
  try {
    return await work(outer ? AbortSignal.any([timeout.signal, outer]) : timeout.signal)
  } finally {
    clearTimeout(timer)
  }
}
