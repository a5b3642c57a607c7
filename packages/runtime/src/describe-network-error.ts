const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'no answer',
}

/** Returns a short reason why a server could not be reached. */
export function describeNetworkError(error: unknown): string {
  const { code = '', message = '', name = '', cause } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (name === 'TimeoutError' || /timeout|timed out/i.test(message)) return 'no answer in time'
  // `fetch` keeps the reason in the cause.
  if (cause !== undefined && REASONS[code] === undefined) return describeNetworkError(cause)
  return REASONS[code] ?? (message || code || 'unknown reason')
}
