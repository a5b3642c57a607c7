export interface LoadOptions {
  origin: string
  method: 'GET' | 'POST'
  path: string
  /** Sets of headers, used in turn. */
  headers: Record<string, string>[]
  body?: string
  /** The expected status. */
  status: number
  /** Number of concurrent requests. */
  callers: number
  /** Time after which no further request is sent. Requests in flight are completed. */
  seconds: number
}

/** The number of completed requests, and the time until the last one was answered. */
export interface LoadReport {
  count: number
  seconds: number
  medianMs: number
  bytes: number
}
