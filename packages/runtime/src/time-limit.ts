/**
 * Does work whose signal aborts with that of `outer`, and with a `TimeoutError` after `ms` milliseconds.
 *
 * `AbortSignal.any([AbortSignal.timeout(ms), ...])` would not do: the composite signal does not hold the other, which may be
 * garbage-collected, and then its time never comes (https://github.com/nodejs/node/issues/57736).
 */
export async function withTimeLimit<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException('The time is up.', 'TimeoutError')), ms)
  try {
    return await work(outer ? AbortSignal.any([limit.signal, outer]) : limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
