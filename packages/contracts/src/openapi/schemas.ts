import { z } from 'zod'

export type Json = Record<string, unknown>
export type Direction = 'input' | 'output'

/** Converts schemas to JSON Schema. Schemas with an ID are collected as components and referenced. */
export interface SchemaWriter {
  components: Record<string, Json>
  write(schema: z.ZodType, io: Direction): Json
}

export const schemaRef = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

export function createSchemaWriter(): SchemaWriter {
  const components: Record<string, Json> = {}
  // Routes share most of their schemas, and converting them is slow.
  const written = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() }
  return {
    components,
    write(schema, io) {
      const known = written[io].get(schema)
      if (known) return known
      const json = writeSchema(schema, io, components)
      written[io].set(schema, json)
      return json
    },
  }
}

function writeSchema(schema: z.ZodType, io: Direction, components: Record<string, Json>): Json {
  const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Responses may gain fields: a client generated from this document must not reject them.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
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
