export interface AuthRequest {
  /** Below `/auth`. */
  path: string
  /** The query with its question mark, or nothing. */
  search: string
  headers: {
    cookie?: string | undefined
    origin?: string | undefined
    accept?: string | undefined
    'user-agent'?: string | undefined
  }
  /** The fields of the endpoint. */
  body?: Record<string, unknown> | undefined
  /** Address of the client. */
  address: string
  /** The network by which attempts are counted. */
  network: string
}

export interface AuthReply {
  status: number
  /** With names in lower case. */
  headers: [name: string, value: string][]
  /** Undefined if the body is not JSON. */
  json: unknown
  html: string | null
}
