import { LEGACY_FIELDS } from '@subtext/contracts'
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
  $ref?: string
  $defs?: Record<string, JsonSchema>
}

const join = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`)

type Definitions = Record<string, JsonSchema>

/** A definition that contains itself is listed once. */
function listFields(schema: JsonSchema, known: Definitions, parent = ''): KnownField[] {
  const name = schema.$ref?.replace('#/$defs/', '') ?? ''
  const resolved = known[name] ?? schema
  const { [name]: _, ...definitions } = known
  const own = Object.entries(resolved.properties ?? {}).flatMap(([name, field]) => {
    const path = join(parent, name)
    return [{ name, parent, path }, ...listFields(field, definitions, path)]
  })
  return resolved.items ? [...own, ...listFields(resolved.items, definitions, `${parent}[]`)] : own
}

/** Adds the deprecated names of fields, which lead to their replacements. */
const withDeprecatedNames = (fields: KnownField[]): KnownField[] => [
  ...fields,
  ...Object.entries(LEGACY_FIELDS).flatMap(([name, replacement]) =>
    fields
      .filter(({ path }) => `.${path}`.endsWith(`.${replacement}`))
      .map(({ path }) => ({ name, path, parent: path.slice(0, -replacement.length).replace(/\.$/, '') })),
  ),
]

/** Derived from each schema once. */
const fieldsOfSchema = new WeakMap<z.ZodType, KnownField[]>()

function fieldsOf(schema: z.ZodType): KnownField[] {
  const known = fieldsOfSchema.get(schema)
  if (known) return known
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const fields = withDeprecatedNames(listFields(root, root.$defs ?? {}))
  fieldsOfSchema.set(schema, fields)
  return fields
}

const levelsOf = (path: string): number => path.split('.').length

/**
 * Returns the path of the field that was probably meant by an unknown one, in the whole schema; undefined if none is close.
 * Fields beside the unknown one are preferred, then those below, then those nearer to the top.
 */
export function suggestField(schema: z.ZodType, path: PropertyKey[]): string | undefined {
  const parent = path
    .slice(0, -1)
    .reduce<string>((above, step) => (typeof step === 'number' ? `${above}[]` : join(above, String(step))), '')
  const distanceOf = (field: KnownField): number => {
    if (field.parent === parent) return 0
    return parent !== '' && field.parent.startsWith(`${parent}.`) ? 1 : 2
  }
  const fields = fieldsOf(schema).toSorted(
    (a, b) => distanceOf(a) - distanceOf(b) || levelsOf(a.path) - levelsOf(b.path),
  )
  const name = findNearestName(
    String(path.at(-1) ?? ''),
    fields.map((field) => field.name),
  )
  return fields.find((field) => field.name === name)?.path
}
