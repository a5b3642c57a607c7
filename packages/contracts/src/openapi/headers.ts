import { REQUEST_HEADERS, RESPONSE_HEADERS, type RequestHeader, type ResponseHeader } from '../headers.ts'
import type { Json } from './schemas.ts'

/** Carried by every answer, refusals included. */
export const COMMON_HEADERS: readonly ResponseHeader[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Used',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

export const refHeaders = (names: Iterable<ResponseHeader>): Json =>
  Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const describeResponseHeaders = (): Json =>
  Object.fromEntries(
    Object.entries(RESPONSE_HEADERS).map(([name, terms]) => [
      name,
      { ...terms, ...(COMMON_HEADERS.includes(name as ResponseHeader) && { required: true }) },
    ]),
  )

export const describeRequestHeader = (name: RequestHeader): Json => ({
  name,
  in: 'header',
  required: false,
  ...REQUEST_HEADERS[name],
})
