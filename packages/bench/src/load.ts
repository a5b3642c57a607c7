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
