export interface LoadOptions {
  origin: string
  method: 'GET' | 'POST'
  /** Paths, sets of headers and bodies are used in turn: the first of each together, then the second, and so on. */
  paths: readonly string[]
  headers: readonly Record<string, string>[]
  bodies?: readonly string[]
  /** The expected status. */
  status: number
  /** Number of callers, each with a connection. */
  callers: number
  /** Number of requests. */
  count: number
  /** Requests are due at this constant rate, whether or not earlier ones were answered. Omitted: all are due at once. */
  perSecond?: number
}

export interface LoadReport {
  count: number
  /** Until the last request was answered. */
  seconds: number
  /** From the moment a request was due to its response, so that waiting for a caller counts as well. */
  medianMs: number
  p99Ms: number
  /** Of all bodies together. */
  bytes: number
}

/** Streams of events, each on a connection of its own. */
export interface FollowOptions {
  origin: string
  streams: { path: string; headers: Record<string, string> }[]
}

export interface FollowReport {
  open: number
  /** Pieces that have arrived on all of them since the last report. */
  pieces: number
}
