import { z } from 'zod'

/** Returns the schema of a value that was sent, without what makes the value optional or changes it. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  return isWrapper ? unwrap(schema.unwrap()) : schema
}

const accepts = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns a request body without the optional fields that are null: clients that serialize missing values as null mean that
 * the field is absent. A null stays where the schema gives it a meaning, and where it is a mistake that is refused: in a list,
 * in a required field and in an unknown one. Of forms that exclude each other, the fields of the others are optional.
 */
export function omitNulls(schema: z.core.$ZodType, sent: unknown): unknown {
  const known = unwrap(schema)
  if (known instanceof z.ZodArray && Array.isArray(sent)) return sent.map((entry) => omitNulls(known.element, entry))
  if (known instanceof z.ZodRecord && isRecord(sent)) {
    return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, omitNulls(known.valueType, value)]))
  }
  const forms = formsOf(known)
  if (forms.length === 0 || !isRecord(sent)) return sent
  const fields = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    const found = forms.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name] as z.core.$ZodType] : []))
    const [field] = found
    if (!field) return [[name, value]]
    const mayBeAbsent = found.length < forms.length || found.some((each) => accepts(each, undefined))
    const isAbsent = value === null && mayBeAbsent && !found.some((each) => accepts(each, null))
    return isAbsent ? [] : [[name, omitNulls(field, value)]]
  })
  return Object.fromEntries(fields)
}

/** Returns the forms that an object may have: several where they exclude each other. */
function formsOf(schema: z.core.$ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema]
  if (!(schema instanceof z.ZodUnion)) return []
  const forms = schema.options.map(unwrap)
  return forms.every((form) => form instanceof z.ZodObject) ? forms : []
}
