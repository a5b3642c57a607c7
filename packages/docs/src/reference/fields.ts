import { type OpenApiDocument, refName, resolveRef, type Schema } from './document.ts'

/** A field of a body, a parameter or an event, as a reader sees it. */
export interface Field {
  name: string
  type: string
  required: boolean
  deprecated: boolean
  /** Markdown. */
  description: string
  /** Limits and the default value, in words. */
  notes: string[]
  /** The values it can have, if they are listed. */
  values: string[]
  /** The forms of its value, if it is an object or a list of objects. Several are alternatives. */
  forms: Form[]
}

export interface Form {
  /** The name of the schema, if it has one. */
  name: string
  fields: Field[]
}

const MAX_DEPTH = 6
const count = (value: number): string => value.toLocaleString('en-US')
const alternativesOf = ({ anyOf, oneOf }: Schema): Schema[] => anyOf ?? oneOf ?? []
const isNull = ({ type }: Schema): boolean => type === 'null'

const FORMATS: Record<string, string> = { uri: 'URL', uuid: 'UUID', 'date-time': 'date and time', date: 'date' }

function describeType(document: OpenApiDocument, schema: Schema): string {
  const resolved = resolveRef(document, schema)
  const { type, items, format, enum: values, const: constant } = resolved
  const alternatives = alternativesOf(resolved)
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((each) => describeType(document, each)))].join(' or ')
  }
  if (constant !== undefined) return JSON.stringify(constant)
  if (values && type === undefined) return 'string'
  const types = (Array.isArray(type) ? type : [type ?? 'any']).map((name) => {
    if (name === 'array') return items ? `list of ${describeType(document, items)}s` : 'list'
    return name === 'string' && format ? `string (${FORMATS[format] ?? format})` : name
  })
  return types.join(' or ')
}

const LIMITS: [min: keyof Schema, max: keyof Schema, unit: string][] = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' entries'],
]

function describeLimits(schema: Schema): string[] {
  return LIMITS.flatMap(([min, max, unit]) => {
    const [from, to] = [schema[min], schema[max]]
    if (typeof from === 'number' && typeof to === 'number') return [`${count(from)} to ${count(to)}${unit}`]
    if (typeof to === 'number') return [`at most ${count(to)}${unit}`]
    // Limits such as "not empty" or "not negative" are obvious and left out.
    return typeof from === 'number' && from > 1 ? [`at least ${count(from)}${unit}`] : []
  })
}

const describeDefault = ({ default: value }: Schema): string[] =>
  value === undefined || JSON.stringify(value) === '{}' ? [] : [`default: ${JSON.stringify(value)}`]

/** Returns the objects that a value consists of: itself, its entries or its alternatives. */
function formsOf(document: OpenApiDocument, schema: Schema, depth: number): Form[] {
  if (depth >= MAX_DEPTH) return []
  const resolved = resolveRef(document, schema)
  const { properties, items, additionalProperties } = resolved
  const name = refName(schema) ?? ''
  if (properties) return [{ name, fields: describeFields(document, resolved, depth + 1) }]
  if (items) return formsOf(document, items, depth)
  if (typeof additionalProperties === 'object') return formsOf(document, additionalProperties, depth)
  return alternativesOf(resolved)
    .filter((each) => !isNull(each))
    .flatMap((each) => formsOf(document, each, depth))
}

/** Describes a value. `name`: as it is shown. */
export function describeField(
  document: OpenApiDocument,
  name: string,
  schema: Schema,
  { required = false, depth = 0 }: { required?: boolean; depth?: number } = {},
): Field {
  const resolved = resolveRef(document, schema)
  const listed = resolved.items ? resolveRef(document, resolved.items) : resolved
  return {
    name,
    type: describeType(document, schema),
    required,
    deprecated: resolved.deprecated === true,
    description: resolved.description ?? '',
    notes: [...describeLimits(resolved), ...describeDefault(resolved)],
    values: (listed.enum ?? []).map(String),
    forms: formsOf(document, schema, depth),
  }
}

/** Describes the fields of an object. Deprecated ones come last. */
export function describeFields(document: OpenApiDocument, schema: Schema, depth = 0): Field[] {
  const { properties = {}, required = [] } = resolveRef(document, schema)
  const fields = Object.entries(properties).map(([name, property]) =>
    describeField(document, name, property, { required: required.includes(name), depth }),
  )
  return [...fields.filter(({ deprecated }) => !deprecated), ...fields.filter(({ deprecated }) => deprecated)]
}

/** Describes a body, which may have several forms; the first one is the current one. */
export const describeForms = (document: OpenApiDocument, schema: Schema): Form[] => formsOf(document, schema, 0)
