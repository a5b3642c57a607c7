import { z } from 'zod'
import { defineRoute } from './define-route.ts'
import { ERROR_DETAILS } from './error-details.ts'
import { ERROR_CODES, ERRORS, type ErrorCode } from './errors.ts'
import { buildOpenApi } from './openapi.ts'
import { ROUTES } from './routes/all-routes.ts'
import { WEBHOOK_EVENT_TYPES } from './vocabulary.ts'

type Json = Record<string, unknown>

const document = buildOpenApi(ROUTES, 'https://api.example.org')
const paths = document.paths as Record<string, Record<string, Operation>>
const components = document.components as { schemas: Record<string, Json>; responses: Json }

interface Operation {
  operationId: string
  tags: string[]
  security?: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json; examples?: Json }> }
  responses: Record<string, ResponseObject | { $ref: string }>
}

interface ResponseObject {
  description: string
  headers: Json
  content?: Record<string, { schema: Json }>
}

const operations = ROUTES.map((route) => ({ route, operation: paths[route.path]?.[route.method] as Operation }))

const submission = paths['/videos/process']?.post as Operation

/** Returns every value under `$ref`, at any depth. */
function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === '$ref' ? [String(inner)] : findReferences(inner)))
}

interface EventSchema {
  properties: { event: { const: string } }
}

const resolve = (reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)

/** Returns the response with the status, shared or not. */
function responseOf(operation: Operation, status: number | string): ResponseObject | undefined {
  const response = operation.responses[status]
  return response && '$ref' in response ? (resolve(response.$ref) as ResponseObject) : response
}

/** Returns the codes in the schema of an error response. */
const codesOf = (response: ResponseObject | undefined): string[] => {
  const { error } = (response?.content?.['application/json']?.schema.properties ?? {}) as { error: Json }
  const references = 'oneOf' in error ? (error.oneOf as Json[]) : [error]
  return references.map(({ $ref }) => {
    const { properties } = resolve(String($ref)) as { properties: { code: { const: string } } }
    return properties.code.const
  })
}

describe('buildOpenApi', () => {
  test('is an OpenAPI 3.1 document with the URL of the API', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.servers).toEqual([{ url: 'https://api.example.org/api/v1' }])
  })

  test('contains every route and nothing else', () => {
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(listed.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test('contains the target of every reference', () => {
    const references = findReferences(document)
    expect(references.length).toBeGreaterThan(10)
    for (const reference of references) expect([reference, typeof resolve(reference)]).toEqual([reference, 'object'])
  })

  test('contains no traces of the schema library', () => {
    const text = JSON.stringify(document)
    for (const mark of ['$defs', '$schema', '"$id"', '~standard']) expect(text).not.toContain(mark)
    for (const schema of Object.values((document.components as { schemas: Json }).schemas)) {
      expect(schema).not.toHaveProperty('id', expect.any(String))
    }
  })

  test('gives every operation a name of its own and a declared tag', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    const tags = (document.tags as { name: string }[]).map(({ name }) => name)
    for (const { operation } of operations) expect(tags).toEqual(expect.arrayContaining(operation.tags))
  })

  test('lists the parameters of every path as required', () => {
    for (const { route, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(inPath.every(({ required }) => required)).toBe(true)
    }
  })

  test('no operation that takes an API key is said to refuse it', () => {
    for (const { route, operation } of operations) {
      if (route.access === 'session') continue
      expect(responseOf(operation, 403)?.description ?? '').not.toMatch(/\bkeys? (?:is not|are not|cannot|may not)\b/i)
    }
  })

  test('describes all codes of a status in one response, with their messages and schemas', () => {
    for (const { route, operation } of operations) {
      const withActor = route.access === 'session' ? 'SESSION_REQUIRED' : 'INSUFFICIENT_SCOPE'
      const withChange = route.method === 'get' ? [] : (['FORBIDDEN_ORIGIN'] as const)
      const withKey = route.access === 'public' ? [] : (['UNAUTHORIZED', withActor, ...withChange] as const)
      const always = ['HTTPS_REQUIRED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const
      for (const code of [...route.errors, ...withKey, ...always]) {
        const response = responseOf(operation, ERRORS[code].status)
        expect(response?.description).toContain(`\`${code}\`: ${ERRORS[code].message}`)
        expect(codesOf(response)).toContain(code)
      }
    }
    expect(codesOf(responseOf(submission, 400))).toEqual(['VALIDATION_ERROR', 'INVALID_JSON', 'INVALID_VIDEO_URL'])
    expect(codesOf(responseOf(submission, 401))).toEqual(['UNAUTHORIZED'])
  })

  test('describes errors of size, type and syntax for routes with a body', () => {
    for (const { route, operation } of operations) {
      const hasBody = route.body !== undefined
      expect(Object.keys(operation.responses).includes('413')).toBe(hasBody)
      expect(Object.keys(operation.responses).includes('415')).toBe(hasBody)
      if (hasBody) expect(codesOf(responseOf(operation, 400))).toContain('INVALID_JSON')
    }
  })

  test('describes the header, the errors and the replay mark of routes that accept an Idempotency-Key', () => {
    for (const { route, operation } of operations) {
      const idempotent = route.idempotent === true
      expect(operation.parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(idempotent)
      expect('Idempotent-Replayed' in (responseOf(operation, route.status)?.headers ?? {})).toBe(idempotent)
      if (idempotent) expect(codesOf(responseOf(operation, 422))).toContain('IDEMPOTENCY_KEY_REUSED')
      if (idempotent) expect(codesOf(responseOf(operation, 409))).toContain('IDEMPOTENCY_IN_PROGRESS')
    }
    expect(submission.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key'])
  })

  test('lists the request ID and the rate limit headers for every response', () => {
    for (const { operation } of operations) {
      for (const status of Object.keys(operation.responses)) {
        const { headers } = responseOf(operation, status) ?? {}
        for (const name of ['X-Request-Id', 'Limit', 'Used', 'Remaining', 'Reset']) {
          const header = name === 'X-Request-Id' ? name : `X-RateLimit-${name}`
          expect([operation.operationId, status, header, headers?.[header]]).toEqual([
            operation.operationId,
            status,
            header,
            { $ref: `#/components/headers/${header}` },
          ])
        }
      }
    }
    expect(responseOf(submission, 429)?.headers).toHaveProperty('Retry-After')
    expect(responseOf(submission, 202)?.headers).toMatchObject({ Location: {}, Deprecation: {}, Link: {} })
  })

  test('describes a successful response as the envelope and its alternative documents, as a file, or as a stream of events', () => {
    for (const { route, operation } of operations) {
      const content = responseOf(operation, route.status)?.content ?? {}
      if (route.events) {
        expect(Object.keys(content)).toEqual(['text/event-stream'])
        const events = content['text/event-stream']?.schema.contentSchema as { items: { oneOf: Json[] } } | undefined
        const names = events?.items.oneOf.map(
          ({ $ref }) => (resolve(String($ref)) as EventSchema).properties.event.const,
        )
        expect(names).toEqual(Object.keys(route.events))
        continue
      }
      if (route.files) {
        expect(Object.keys(content)).toEqual(route.files)
        continue
      }
      if (route.status === 204) {
        expect(content).toEqual({})
        continue
      }
      expect(content['application/json']?.schema).toMatchObject({
        required: ['success', 'data', 'meta'],
        properties: { success: { const: true }, meta: { $ref: '#/components/schemas/Meta' } },
      })
      const types = [
        'application/json',
        ...(route.documents ?? []),
        ...(route.requestableEvents ? ['text/event-stream'] : []),
      ]
      expect(Object.keys(content)).toEqual(types)
    }
  })

  test('describes ETag and 304 for routes that support If-None-Match', () => {
    const route = defineRoute({
      method: 'get',
      path: '/things',
      operationId: 'list',
      summary: 's',
      access: 'read',
      status: 200,
      response: z.string(),
      errors: [],
      notModified: true,
    })
    const operation = (buildOpenApi([route], 'http://x').paths as typeof paths)['/things']?.get as Operation
    expect(operation.parameters.map(({ name }) => name)).toEqual(['If-None-Match'])
    expect(operation.responses['304']).toMatchObject({ headers: { ETag: {} } })
    expect(operation.responses['304']).not.toHaveProperty('content')
    expect(operation.responses['200']).toMatchObject({ headers: { ETag: {} } })
  })

  test('describes every webhook with its headers', () => {
    const webhooks = document.webhooks as Record<string, { post: Operation }>
    expect(Object.keys(webhooks)).toEqual(WEBHOOK_EVENT_TYPES)
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { schema } = post.requestBody?.content['application/json'] ?? {}
      expect(resolve(String(schema?.$ref))).toMatchObject({ properties: { event: { const: type }, data: {} } })
      expect(post.parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['X-Webhook-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']),
      )
    }
  })

  test('describes defaults and limits of the request, and that unknown fields are refused', () => {
    expect(components.schemas.SubmitVideo).toMatchObject({
      additionalProperties: false,
      properties: {
        priority: { default: 'normal', $ref: '#/components/schemas/Priority' },
        client_reference: { maxLength: 255 },
        custom_instructions: { minLength: 1, maxLength: 2000 },
        options: { default: {}, $ref: '#/components/schemas/VideoOptions' },
      },
    })
    expect(components.schemas.VideoOptions).toMatchObject({
      additionalProperties: false,
      properties: {
        max_transcript_length: { default: 10_000_000, minimum: 1, maximum: 10_000_000 },
        summary_modes: { default: ['tldr'], minItems: 0, items: { $ref: '#/components/schemas/SummaryMode' } },
      },
    })
    expect(components.schemas.Priority).toEqual({ type: 'string', enum: ['normal', 'high'] })
  })

  test('describes two methods of one path, and a public route without a key', () => {
    const common = { summary: 's', response: z.string(), status: 200, errors: [] as const }
    const built = buildOpenApi(
      [
        defineRoute({ ...common, method: 'get', path: '/things', operationId: 'list', access: 'public' }),
        defineRoute({ ...common, method: 'post', path: '/things', operationId: 'add', access: 'write' }),
      ],
      'http://x',
    ).paths as typeof paths
    expect(Object.keys(built['/things'] ?? {})).toEqual(['get', 'post'])
    expect(built['/things']?.get?.security).toEqual([])
    expect(built['/things']?.post?.security).toBeUndefined()
  })

  test('describes the details of every error code that a route responds with', () => {
    const route = defineRoute({
      method: 'get',
      path: '/things',
      operationId: 'list',
      summary: 's',
      access: 'read',
      status: 200,
      response: z.string(),
      errors: ERROR_CODES,
    })
    const { schemas } = buildOpenApi([route], 'http://x').components as { schemas: Record<string, Json> }
    const errors = Object.values(schemas).filter(({ properties = {} }) => 'code' in (properties as Json))
    const codes = errors.map(({ properties }) => (properties as { code: { const?: ErrorCode } }).code.const)
    expect(codes.filter((code) => code !== undefined).sort()).toEqual([...ERROR_CODES].sort())
    for (const { properties, required } of errors) {
      const code = (properties as { code: { const?: ErrorCode } }).code.const
      if (code === undefined) continue
      const details = ERROR_DETAILS[code]
      expect([code, 'details' in (properties as Json)]).toEqual([code, details !== undefined])
      expect([code, (required as string[]).includes('details')]).toEqual([
        code,
        details !== undefined && !details.optional,
      ])
    }
  })
})
