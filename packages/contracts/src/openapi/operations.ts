import { z } from 'zod'
import type { RouteShape } from '../define-route.ts'
import { Meta } from '../envelope.ts'
import { EXAMPLES } from '../examples/index.ts'
import { EXAMPLE_META } from '../examples/meta.ts'
import type { OperationExamples } from '../examples/operation-examples.ts'
import { PARAMETERS } from '../examples/parameters.ts'
import type { RequestHeader, ResponseHeader } from '../headers.ts'
import type { ErrorWriter } from './errors.ts'
import { COMMON_HEADERS, describeRequestHeader, refHeaders } from './headers.ts'
import type { Json, SchemaWriter } from './schemas.ts'

/** Routes are grouped by the first part of their path. */
export const tagOf = (route: RouteShape): string => route.path.split('/')[1] || 'service'

/** A body with a file. */
const PARTS = {
  type: 'object',
  description:
    'The fields of the JSON body as parts, `options` and `speakers` as JSON. The part `file` takes the place of `captions`.',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
}

const PARTS_EXAMPLE = { file: 'WEBVTT\n\n00:01.000 --> 00:03.500\nGood morning.\n' }

export function describeOperation(route: RouteShape, schemas: SchemaWriter, errors: ErrorWriter): Json {
  const examples = EXAMPLES[route.operationId] ?? {}
  return {
    operationId: route.operationId,
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.access === 'public' && { security: [] }),
    ...(route.access === 'session' && { security: [{ session: [] }] }),
    // Nothing, for a signed link.
    ...(route.signed && { security: [{ bearer: [] }, { apiKey: [] }, { session: [] }, {}] }),
    parameters: [
      ...describeParameters(route, 'path', schemas),
      ...describeParameters(route, 'query', schemas),
      ...requestHeadersOf(route).map(describeRequestHeader),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemas.write(route.request ?? route.body, 'input'),
            examples: describeBodies(route, examples),
          },
          ...(route.multipart && { 'multipart/form-data': { schema: PARTS, example: PARTS_EXAMPLE } }),
        },
      },
    }),
    responses: {
      [route.status]: describeSuccess(route, schemas, examples),
      ...(route.otherStatus && { [route.otherStatus]: describeSuccess(route, schemas, examples) }),
      ...(route.events && {
        204: describeEmptyResponse('The job has ended and you have received its last event.', []),
      }),
      ...(route.notModified && {
        304: describeEmptyResponse('Your copy is current.', [
          'ETag',
          ...documentHeadersOf(route),
          ...(route.responseHeaders ?? []),
        ]),
      }),
      ...errors.write(route),
    },
  }
}

function describeParameters(route: RouteShape, place: 'path' | 'query', schemas: SchemaWriter): Json[] {
  const group = place === 'path' ? route.params : route.query
  return Object.entries(group?.shape ?? {}).map(([name, type]) => {
    const { description, ...schema } = schemas.write(type as z.ZodType, 'output')
    const known = PARAMETERS[name]
    const example = route.example?.query?.[name] ?? known?.example
    return {
      name,
      in: place,
      required: place === 'path' || !(type as z.ZodType).safeParse(undefined).success,
      description: description ?? known?.description,
      schema,
      ...(example !== undefined && { example }),
    }
  })
}

const requestHeadersOf = (route: RouteShape): RequestHeader[] => [
  ...(route.idempotent ? (['Idempotency-Key'] as const) : []),
  ...(route.notModified ? (['If-None-Match'] as const) : []),
  ...(route.events ? (['Last-Event-ID'] as const) : []),
]

/** Returns the headers of a successful response: those implied by the route's features, and those it lists. */
const responseHeadersOf = (route: RouteShape): ResponseHeader[] => [
  ...COMMON_HEADERS,
  ...(route.idempotent ? (['Idempotent-Replayed'] as const) : []),
  ...(route.upgrade ? (['Deprecation', 'Link'] as const) : []),
  ...documentHeadersOf(route),
  ...(route.notModified ? (['ETag'] as const) : []),
  ...(route.responseHeaders ?? []),
]

const documentHeadersOf = ({ documents, files }: RouteShape): ResponseHeader[] =>
  documents || files ? ['Vary', 'Content-Disposition'] : []

const describeBodies = (route: RouteShape, { bodies = {} }: OperationExamples): Json => ({
  ...(route.example?.body !== undefined && { typical: { summary: 'A typical request.', value: route.example.body } }),
  ...bodies,
})

function describeSuccess(route: RouteShape, schemas: SchemaWriter, examples: OperationExamples): Json {
  const description = examples.response ?? 'Success.'
  if (route.status === 204) return describeEmptyResponse(description, responseHeadersOf(route))
  return {
    description,
    headers: refHeaders(responseHeadersOf(route)),
    content: describeContent(route, schemas, examples),
  }
}

function describeContent(route: RouteShape, schemas: SchemaWriter, examples: OperationExamples): Json {
  if (route.events) return { 'text/event-stream': describeEvents(route.events, '', schemas, examples) }
  if (route.files) return Object.fromEntries(route.files.map((type) => [type, { schema: FILE }]))
  return {
    'application/json': describeEnvelope(route, schemas, examples),
    ...describeDocuments(route, examples),
    ...(route.requestableEvents && {
      'text/event-stream': describeEvents(route.requestableEvents, route.eventPrefix ?? '', schemas, examples),
    }),
  }
}

const FILE = { type: 'string', format: 'binary' }

function describeEnvelope(route: RouteShape, schemas: SchemaWriter, { data = {} }: OperationExamples): Json {
  return {
    schema: {
      type: 'object',
      required: ['success', 'data', 'meta'],
      properties: {
        success: { const: true },
        data: schemas.write(route.response ?? z.unknown(), 'output'),
        meta: schemas.write(Meta, 'output'),
      },
    },
    ...(Object.keys(data).length > 0 && {
      examples: Object.fromEntries(
        Object.entries(data).map(([name, { summary, value }]) => [
          name,
          { summary, value: { success: true, data: value, meta: EXAMPLE_META } },
        ]),
      ),
    }),
  }
}

const describeDocuments = (route: RouteShape, { documents = {} }: OperationExamples): Json =>
  Object.fromEntries(
    (route.documents ?? []).map((type) => [
      type,
      {
        schema: type === 'application/pdf' ? FILE : { type: 'string' },
        ...(documents[type] !== undefined && { example: documents[type] }),
      },
    ]),
  )

function describeEvents(
  events: NonNullable<RouteShape['events']>,
  prefix: string,
  schemas: SchemaWriter,
  { documents = {} }: OperationExamples,
): Json {
  return {
    schema: {
      type: 'string',
      description: 'Server-Sent Events; `data` is JSON.',
      contentMediaType: 'text/event-stream',
      contentSchema: {
        type: 'array',
        items: {
          oneOf: Object.entries(events).map(([name, data]) =>
            schemas.write(
              z
                .object({ event: z.literal(name), id: z.string(), data })
                .meta({ id: `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}StreamEvent` }),
              'output',
            ),
          ),
        },
      },
    },
    example: documents['text/event-stream'],
  }
}

const describeEmptyResponse = (description: string, headers: ResponseHeader[]): Json => ({
  description,
  headers: refHeaders([...COMMON_HEADERS, ...headers]),
})
