import { REQUEST_HEADERS, RESPONSE_HEADERS, type RequestHeader, type ResponseHeader } from '../headers.ts'
import type { Json } from './schemas.ts'

/** Headers of every response, including errors. */
export const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Used',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

const COMMON_NAMES = new Set<string>(COMMON_HEADERS)

export const refHeaders = (names: Iterable<ResponseHeader>): Json =>
  Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const describeResponseHeaders = (): Json =>
  Object.fromEntries(
    Object.entries(RESPONSE_HEADERS).map(([name, definition]) => [
      name,
      { ...definition, ...(COMMON_NAMES.has(name) && { required: true }) },
    ]),
  )

export const describeRequestHeader = (name: RequestHeader): Json => ({
  name,
  in: 'header',
  required: false,
  ...REQUEST_HEADERS[name],
})
