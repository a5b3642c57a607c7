import { z } from 'zod'
import { defineRoute } from './define-route.ts'
import { ERROR_CODES, ERRORS } from './errors.ts'
import { buildOpenApi } from './openapi.ts'
import { videos } from './routes/videos.ts'

type Json = Record<string, unknown>

const routes = Object.values(videos)
const document = buildOpenApi(routes, 'https://api.example.org')
const paths = document.paths as Record<string, Record<string, Operation>>

interface Operation {
  operationId: string
  tags: string[]
  security?: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> }
  responses: Record<string, { description: string; content: Record<string, { schema: Json }> }>
}

const operations = routes.map((route) => ({ route, operation: paths[route.path]?.[route.method] as Operation }))

const submission = paths['/videos/process']?.post as Operation

/** Every value under `$ref`, at any depth. */
function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === '$ref' ? [String(inner)] : findReferences(inner)))
}

const resolve = (reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)

describe('buildOpenApi', () => {
  test('is OpenAPI 3.1 and says where the API is', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.servers).toEqual([{ url: 'https://api.example.org/api/v1' }])
  })

  test('holds every route and nothing else', () => {
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(listed.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test('every reference has a target within the document', () => {
    const references = findReferences(document)
    expect(references.length).toBeGreaterThan(10)
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/schemas\//)
      expect([reference, typeof resolve(reference)]).toEqual([reference, 'object'])
    }
  })

  test('no schema keeps the marks of the library it was written in', () => {
    const text = JSON.stringify(document)
    for (const mark of ['$defs', '$schema', '"$id"', '~standard']) expect(text).not.toContain(mark)
    for (const schema of Object.values((document.components as { schemas: Json }).schemas)) {
      expect(schema).not.toHaveProperty('id', expect.any(String))
    }
  })

  test('operations have distinct names and a declared tag', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    const tags = (document.tags as { name: string }[]).map(({ name }) => name)
    for (const { operation } of operations) expect(tags).toEqual(expect.arrayContaining(operation.tags))
  })

  test('parameters in the path are named and required', () => {
    for (const { route, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(inPath.every(({ required }) => required)).toBe(true)
    }
  })

  test('codes of one status share an answer that explains each of them', () => {
    for (const { route, operation } of operations) {
      for (const code of route.errors) {
        const answer = operation.responses[ERRORS[code].status]
        expect(answer?.description).toContain(`\`${code}\``)
        expect(answer?.content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/ErrorEnvelope' })
      }
      for (const code of ['UNAUTHORIZED', 'INSUFFICIENT_SCOPE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const) {
        expect(operation.responses[ERRORS[code].status]?.description).toContain(`\`${code}\``)
      }
    }
    const refusals = submission.responses['400']
    expect(refusals?.description.match(/`[A-Z_]+`/g)).toEqual([
      '`VALIDATION_ERROR`',
      '`INVALID_JSON`',
      '`INVALID_VIDEO_URL`',
    ])
  })

  test('routes with a body may refuse its size and its type', () => {
    for (const { route, operation } of operations) {
      expect(Object.keys(operation.responses).includes('413')).toBe('body' in route)
      expect(Object.keys(operation.responses).includes('415')).toBe('body' in route)
    }
  })

  test('the example of a route passes its own schema', () => {
    for (const route of routes) {
      if (!('body' in route)) continue
      expect(route.body.safeParse(route.example.body).success).toBe(true)
    }
  })

  test('a success is the envelope, beside the documents that may take its place', () => {
    for (const { route, operation } of operations) {
      const content = operation.responses[route.status]?.content ?? {}
      expect(content['application/json']?.schema).toMatchObject({
        required: ['success', 'data', 'meta'],
        properties: { success: { const: true }, meta: { $ref: '#/components/schemas/Meta' } },
      })
      const documents = 'documents' in route ? route.documents : []
      expect(Object.keys(content)).toEqual(['application/json', ...documents])
    }
  })

  test('the request shows defaults, bounds and that unknown fields are refused', () => {
    const body = submission.requestBody
    expect(body?.content['application/json']?.schema).toMatchObject({
      additionalProperties: false,
      required: ['url'],
      properties: {
        priority: { default: 'normal', enum: ['normal', 'high'] },
        client_reference: { maxLength: 255 },
        custom_instructions: { minLength: 1, maxLength: 2000 },
        options: {
          additionalProperties: false,
          properties: {
            max_transcript_length: { default: 10_000_000, minimum: 1, maximum: 10_000_000 },
            summary_modes: { default: ['tldr'], minItems: 1 },
          },
        },
      },
    })
  })

  test('two methods of one path stand side by side, and a public route asks for no key', () => {
    const terms = { summary: 's', response: z.string(), status: 200, errors: [] as const }
    const built = buildOpenApi(
      [
        defineRoute({ ...terms, method: 'get', path: '/things', operationId: 'list', access: 'public' }),
        defineRoute({ ...terms, method: 'post', path: '/things', operationId: 'add', access: 'write' }),
      ],
      'http://x',
    ).paths as typeof paths
    expect(Object.keys(built['/things'] ?? {})).toEqual(['get', 'post'])
    expect(built['/things']?.get?.security).toEqual([])
    expect(built['/things']?.post?.security).toBeUndefined()
  })

  test('every code of the table is one an envelope can carry', () => {
    const { ErrorEnvelope } = (document.components as { schemas: Record<string, Json> }).schemas
    expect(ErrorEnvelope).toMatchObject({ properties: { error: { properties: { code: { enum: ERROR_CODES } } } } })
  })
})
