export interface LoadOptions {
  origin: string
  method: 'GET' | 'POST'
  /** Several are used in turn. */
  path: string | readonly string[]
  /** Sets of headers, used in turn. */
  headers: Record<string, string>[]
  body?: string
  /** The expected status. */
  status: number
  /** Number of concurrent requests. */
  callers: number
  /** Number of requests. */
  count: number
}

export interface LoadReport {
  count: number
  /** Until the last request was answered. */
  seconds: number
  medianMs: number
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
