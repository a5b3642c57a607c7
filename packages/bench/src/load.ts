export interface LoadOrder {
  origin: string
  method: 'GET' | 'POST'
  path: string
  /** Sets of headers, taken in turn. */
  headers: Record<string, string>[]
  body?: string
  /** The only status that is right. */
  status: number
  /** Requests at once. */
  callers: number
  /** No request is begun after this; those under way end. */
  seconds: number
}

/** What was done, and how long it took until the last was. */
export interface LoadReport {
  count: number
  seconds: number
  medianMs: number
  bytes: number
}
