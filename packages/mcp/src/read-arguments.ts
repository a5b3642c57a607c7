import { z } from 'zod'

/**
 * Makes the input schema of a tool accept its arguments as models write them: `null` and `""` are absent, `"30"` is 30, `"true"` is
 * true, and a list may be one value, values with commas, or JSON. The schema that clients read stays strict.
 */
export const readingLoosely = <T extends z.ZodObject>(schema: T) =>
  z.preprocess((value) => readArguments(schema.shape, value), schema)

/** Returns arguments in the types that a schema names, as far as they say the same. Others are left for it to refuse. */
export function readArguments(shape: z.ZodRawShape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, argument]) => argument !== null && !(typeof argument === 'string' && argument.trim() === ''))
      .map(([name, argument]) => [name, Object.hasOwn(shape, name) ? readAs(typeOf(shape[name]), argument) : argument]),
  )
}

/** Returns the kind of a schema without what makes it optional. */
function typeOf(schema: z.core.$ZodType | undefined): string {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : schema
  return inner === schema ? (schema?._zod.def.type ?? '') : typeOf(inner)
}

function readAs(type: string, argument: unknown): unknown {
  if (type === 'object') return readObject(argument)
  if (typeof argument !== 'string') return type === 'array' && !Array.isArray(argument) ? [argument] : argument
  const text = argument.trim()
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : argument
  if (type === 'boolean') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : argument
  if (type !== 'array') return argument
  return parseList(text) ?? text.split(',').map((item) => item.trim())
}

function parseList(text: string): unknown[] | undefined {
  const value = parseJson(text)
  return Array.isArray(value) ? value : undefined
}

/** Returns an object without absent fields, also from JSON. */
function readObject(argument: unknown): unknown {
  const value = typeof argument === 'string' ? parseJson(argument) : argument
  return typeof value === 'object' && value !== null ? readArguments({}, value) : argument
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
