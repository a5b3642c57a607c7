import { z } from 'zod'
import type { RouteShape } from './define-route.ts'
import { API_PREFIX, ErrorEnvelope, Meta } from './envelope.ts'
import { ERRORS, type ErrorCode } from './errors.ts'

type Json = Record<string, unknown>

/** Errors any route may answer with, whatever it does. */
const COMMON_ERRORS: ErrorCode[] = [
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'HTTPS_REQUIRED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]
const BODY_ERRORS: ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/**
 * OpenAPI 3.1 of a route table (https://spec.openapis.org/oas/v3.1.1).
 * Schemas with an id become components; several codes of one status share a response.
 */
export function buildOpenApi(routes: RouteShape[], server: string): Json {
  const components: Json = {}
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => toSchema(schema, io, components)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(route, schemaOf) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Subtext',
      version: '1.2.0',
      description: 'Public videos into transcripts and summaries.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${server}${API_PREFIX}` }],
    tags: [{ name: 'videos', description: 'Submit videos, follow jobs, read results.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    // Answers may gain fields; who generates a reader from this must not refuse them.
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties
    },
  }) as Json & {
    $defs?: Record<string, Json>
  }
  for (const [id, definition] of Object.entries($defs ?? {})) components[id] = relocate(withoutId(definition))
  if (typeof root.id !== 'string') return relocate(root)
  components[root.id] = relocate(withoutId(root))
  return { $ref: `#/components/schemas/${root.id}` }
}

const withoutId = ({ id, $id, ...schema }: Json): Json => schema

/** References point into `components` instead of the schema's own `$defs`. */
const relocate = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

function describeOperation(route: RouteShape, schemaOf: SchemaOf): Json {
  return {
    operationId: route.operationId,
    tags: [route.path.split('/')[1]],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.access === 'public' && { security: [] }),
    parameters: [
      ...describeParameters(route.params, 'path', schemaOf),
      ...describeParameters(route.query, 'query', schemaOf),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaOf(route.body, 'input'),
            ...(route.example?.body !== undefined && { example: route.example.body }),
          },
        },
      },
    }),
    responses: { [route.status]: describeSuccess(route, schemaOf), ...describeErrors(route, schemaOf) },
  }
}

function describeParameters(group: z.ZodObject | undefined, place: 'path' | 'query', schemaOf: SchemaOf): Json[] {
  return Object.entries(group?.shape ?? {}).map(([name, type]) => ({
    name,
    in: place,
    required: place === 'path' || !(type as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(type as z.ZodType, 'output'),
  }))
}

function describeSuccess(route: RouteShape, schemaOf: SchemaOf): Json {
  const envelope = {
    type: 'object',
    required: ['success', 'data', 'meta'],
    properties: {
      success: { const: true },
      data: schemaOf(route.response, 'output'),
      meta: schemaOf(Meta, 'output'),
    },
  }
  const documents = (route.documents ?? []).map((type) => [type, { schema: { type: 'string' } }])
  return {
    description: 'Done.',
    content: { 'application/json': { schema: envelope }, ...Object.fromEntries(documents) },
  }
}

function describeErrors(route: RouteShape, schemaOf: SchemaOf): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...route.errors, ...COMMON_ERRORS, ...(route.body ? BODY_ERRORS : [])])) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        status,
        {
          description: group.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
          content: { 'application/json': { schema: schemaOf(ErrorEnvelope, 'output') } },
        },
      ]),
  )
}
