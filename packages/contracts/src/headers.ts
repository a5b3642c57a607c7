interface HeaderTerms {
  description: string
  schema: { type: 'string' | 'integer'; minimum?: number; maxLength?: number; const?: string }
  example: string | number
}

const SECONDS = { type: 'integer', minimum: 0 } as const
const COUNT = { type: 'integer', minimum: 0 } as const
const TEXT = { type: 'string' } as const

/** Headers of answers that callers may rely on. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description:
      'Identifier of the request, the same as `meta.request_id`. Yours is kept when it matches `[A-Za-z0-9._-]{8,128}`. Name it when you report a problem.',
    schema: TEXT,
    example: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11',
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the current window of one hour.',
    schema: COUNT,
    example: 3000,
  },
  'X-RateLimit-Used': {
    description: 'Requests made in the current window, this one included.',
    schema: COUNT,
    example: 12,
  },
  'X-RateLimit-Remaining': { description: 'Requests left in the current window.', schema: COUNT, example: 2988 },
  'X-RateLimit-Reset': {
    description: 'When the current window ends, in Unix seconds.',
    schema: { type: 'integer', minimum: 0 },
    example: 1767229200,
  },
  'Retry-After': { description: 'Seconds to wait before another try makes sense.', schema: SECONDS, example: 2 },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110, section 11.6.1).',
    schema: TEXT,
    example: 'Bearer',
  },
  Location: {
    description: 'Path under which what was created can be followed.',
    schema: TEXT,
    example: '/api/v1/videos/status/0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11',
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  Deprecation: {
    description:
      'Present when the request used a deprecated field: the day of its deprecation, `@` and Unix seconds (RFC 9745).',
    schema: TEXT,
    example: '@1735689600',
  },
  Link: {
    description: 'With `rel="deprecation"`: the page that says what replaces the deprecated field.',
    schema: TEXT,
    example: '<https://api.example.org/api/v1/docs/deprecations>; rel="deprecation"; type="text/html"',
  },
  ETag: {
    description: 'Identifies this representation; send it back as `If-None-Match`.',
    schema: TEXT,
    example: '"8f3c1b2a"',
  },
  Vary: { description: 'Request headers the representation depends on.', schema: TEXT, example: 'Accept' },
  'Content-Disposition': {
    description: 'Present with `download=1`: a file name for the document.',
    schema: TEXT,
    example: 'attachment; filename="dQw4w9WgXcQ.md"',
  },
} as const satisfies Record<string, HeaderTerms>
export type ResponseHeader = keyof typeof RESPONSE_HEADERS

/** Headers of requests beside the key. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'A name of your choice for this request, such as a UUID. Sent again within 24 hours with the same request, it is answered from the store and creates nothing; with another path or body it is refused.',
    schema: { type: 'string', maxLength: 255 },
    example: 'order-1042-attempt-1',
  },
  'If-None-Match': {
    description: 'The `ETag` of what you already have; while it is current the answer is `304` without a body.',
    schema: TEXT,
    example: '"8f3c1b2a"',
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event received, to go on after it. Browsers send it by themselves.',
    schema: TEXT,
    example: '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e11/tldr/',
  },
} as const satisfies Record<string, HeaderTerms>
export type RequestHeader = keyof typeof REQUEST_HEADERS
