import type { LegacyField } from '@subtext/contracts'
import { z } from 'zod'
import { findNearestName } from './nearest-name.ts'

/** A field that a request may have. Entries of lists are `[]` in its path. */
interface KnownField {
  name: string
  parent: string
  path: string
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

function listFields(schema: JsonSchema, parent = ''): KnownField[] {
  const { properties = {}, items } = schema
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const path = parent === '' ? name : `${parent}.${name}`
    return [{ name, parent, path }, ...listFields(field, path)]
  })
  return items ? [...own, ...listFields(items, `${parent}[]`)] : own
}

/** Derived from each schema once. */
const fieldsOfSchema = new WeakMap<z.ZodType, KnownField[]>()

function fieldsOf(schema: z.ZodType): KnownField[] {
  const known = fieldsOfSchema.get(schema)
  if (known) return known
  const fields = listFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  fieldsOfSchema.set(schema, fields)
  return fields
}

const levelsOf = (path: string): number => path.split('.').length

/**
 * Returns the path of the field that was probably meant by an unknown one, in the whole schema; undefined if none is close.
 * Fields beside the unknown one are preferred, then those nearer to the top. Deprecated names lead to their replacement.
 */
export function suggestField(
  schema: z.ZodType,
  legacyFields: Record<string, LegacyField>,
  path: PropertyKey[],
): string | undefined {
  const segments = path.map((segment) => (typeof segment === 'number' ? '[]' : `.${String(segment)}`))
  const parent = segments.slice(0, -1).join('').replace(/^\./, '')
  const deprecated = Object.entries(legacyFields).map(([name, { replacedBy }]) => ({
    name,
    parent: '',
    path: replacedBy,
  }))
  const isBeside = (field: KnownField): number => (field.parent === parent ? 0 : 1)
  const fields = [...fieldsOf(schema), ...deprecated].sort(
    (a, b) => isBeside(a) - isBeside(b) || levelsOf(a.path) - levelsOf(b.path),
  )
  const name = findNearestName(
    String(path.at(-1) ?? ''),
    fields.map((field) => field.name),
  )
  return fields.find((field) => field.name === name)?.path
}
