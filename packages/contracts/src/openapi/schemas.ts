import { z } from 'zod'
import type { LegacyField, RouteShape } from '../define-route.ts'

export type Json = Record<string, unknown>
export type Direction = 'input' | 'output'

/** Converts schemas to JSON Schema. Schemas with an id are collected as components and referenced. */
export interface SchemaWriter {
  components: Record<string, Json>
  write(schema: z.ZodType, io: Direction): Json
}

export const schemaRef = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

export function createSchemaWriter(): SchemaWriter {
  const components: Record<string, Json> = {}
  return { components, write: (schema, io) => writeSchema(schema, io, components) }
}

function writeSchema(schema: z.ZodType, io: Direction, components: Record<string, Json>): Json {
  const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Responses may gain fields: a client generated from this document must not reject them.
      if (io === 'output') delete jsonSchema.additionalProperties
      // The library adds the pattern behind a named format, and the limits of exact integers.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  }) as Json & { $defs?: Record<string, Json> }
  for (const [id, definition] of Object.entries($defs ?? {})) components[id] = relocate(withoutId(definition))
  if (typeof root.id !== 'string') return relocate(root)
  components[root.id] = relocate(withoutId(root))
  return schemaRef(root.id)
}

const withoutId = ({ id, $id, ...schema }: Json): Json => schema

/** Rewrites references into the schema's own `$defs` to point into `components`. */
const relocate = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json

/** Returns the schema of a request body, including its deprecated field names. */
export function writeBody(route: RouteShape, body: z.ZodObject, write: SchemaWriter['write']): Json {
  const schema = write(body, 'input') as Json & { properties: Json; required?: string[] }
  const legacy = Object.entries(route.legacyFields ?? {})
  if (legacy.length === 0) return schema
  const { required = [], properties, ...rest } = schema
  const alternatives = required.map((name) => [
    name,
    ...legacy.filter(([, { replacedBy }]) => replacedBy === name).map(([deprecated]) => deprecated),
  ])
  const always = alternatives.filter((names) => names.length === 1).flat()
  const eitherOr = alternatives.filter((names) => names.length > 1)
  return {
    ...rest,
    properties: {
      ...properties,
      ...Object.fromEntries(legacy.map(([name, field]) => [name, writeLegacyField(field, write)])),
    },
    ...(always.length > 0 && { required: always }),
    ...(eitherOr.length > 0 && {
      allOf: eitherOr.map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) })),
    }),
  }
}

function writeLegacyField({ schema, replacedBy }: LegacyField, write: SchemaWriter['write']): Json {
  return {
    ...write(schema, 'input'),
    deprecated: true,
    description: `Deprecated name of \`${replacedBy}\`, accepted until v2.0. Responses then carry a \`Deprecation\` header and a warning.`,
  }
}
