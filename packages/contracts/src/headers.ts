interface HeaderDefinition {
  description: string
  schema: { type: 'string' | 'integer'; minimum?: number; maxLength?: number; const?: string }
  example: string | number
}

const SECONDS = { type: 'integer', minimum: 0 } as const
const COUNT = { type: 'integer', minimum: 0 } as const
const TEXT = { type: 'string' } as const

/** Response headers that callers can rely on. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description:
      'ID of the request, the same as `meta.request_id`. An ID that you send is kept if it matches `[A-Za-z0-9._-]{8,128}`. Include it when you report a problem.',
    schema: TEXT,
    example: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11',
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the current window of one hour.',
    schema: COUNT,
    example: 3000,
  },
  'X-RateLimit-Used': {
    description: 'Requests made in the current window, including this one.',
    schema: COUNT,
    example: 12,
  },
  'X-RateLimit-Remaining': { description: 'Requests left in the current window.', schema: COUNT, example: 2988 },
  'X-RateLimit-Reset': {
    description: 'When the current window ends, in Unix seconds.',
    schema: { type: 'integer', minimum: 0 },
    example: 1767229200,
  },
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: SECONDS, example: 2 },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110, section 11.6.1).',
    schema: TEXT,
    example: 'Bearer',
  },
  'X-Robots-Tag': {
    description: '`noindex`: search engines must not list the address.',
    schema: { type: 'string', const: 'noindex' },
    example: 'noindex',
  },
  Location: {
    description: 'Path at which the created resource can be followed.',
    schema: TEXT,
    example: '/api/v1/videos/status/0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11',
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  Deprecation: {
    description:
      'Present if the request used a deprecated field: `@` and the date of its deprecation in Unix seconds (RFC 9745).',
    schema: TEXT,
    example: '@1735689600',
  },
  Link: {
    description: 'With `rel="deprecation"`: the page that explains what replaces the deprecated field.',
    schema: TEXT,
    example: '<https://api.example.org/api/v1/docs/deprecations>; rel="deprecation"; type="text/html"',
  },
  ETag: {
    description: 'Identifies this representation. Send it back as `If-None-Match`.',
    schema: TEXT,
    example: '"8f3c1b2a"',
  },
  Vary: { description: 'Request headers that the representation depends on.', schema: TEXT, example: 'Accept' },
  'Content-Disposition': {
    description: 'The file name of the document: with `download=1`, and always of a PDF.',
    schema: TEXT,
    example: 'attachment; filename="dQw4w9WgXcQ.md"',
  },
} as const satisfies Record<string, HeaderDefinition>
export type ResponseHeader = keyof typeof RESPONSE_HEADERS

/** Request headers, besides the API key. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'A value of your choice that identifies this request, such as a UUID. If the same request is sent again with it within 24 hours, the stored response is returned and nothing is created. Using it for another path or body is refused.',
    schema: { type: 'string', maxLength: 255 },
    example: 'order-1042-attempt-1',
  },
  'If-None-Match': {
    description: 'The `ETag` of your copy. While the copy is current, the response is `304` without a body.',
    schema: TEXT,
    example: '"8f3c1b2a"',
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event you received, to resume after it. Browsers send it automatically.',
    schema: TEXT,
    example: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11/tldr/',
  },
} as const satisfies Record<string, HeaderDefinition>
export type RequestHeader = keyof typeof REQUEST_HEADERS
