/** The keywords of JSON Schema that our schemas use. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

/** Returns null for text that is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns whether a value has the properties that a schema requires of an object. The caller checks their values. */
export function matchesOutline(value: unknown, schema: Schema): boolean {
  return isRecord(value) && (schema.required ?? []).every((name) => name in value)
}

/** Maximum number of brackets to try: the prose before the answer may contain some. */
const MAX_TRIES = 20

/** Returns the end of the object or list that begins at `start`, or -1. */
function findEnd(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let index = start; index < text.length; index++) {
    const letter = text[index]
    if (isQuoted) {
      if (letter === '\\') index++
      else if (letter === '"') isQuoted = false
    } else if (letter === '"') isQuoted = true
    else if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') {
      depth--
      if (depth === 0) return index + 1
    }
  }
  return -1
}

/**
 * Returns the longest JSON object in an answer, whatever surrounds it: thoughts, an introduction, a code fence. Returns null if
 * there is none.
 */
export function extractJson(text: string): Record<string, unknown> | null {
  let best: { length: number; value: Record<string, unknown> } | null = null
  let start = text.indexOf('{')
  for (let tries = 0; start >= 0 && tries < MAX_TRIES; tries++) {
    const end = findEnd(text, start)
    const value = end < 0 ? null : parseJson(text.slice(start, end))
    if (isRecord(value) && end - start > (best?.length ?? 0)) best = { length: end - start, value }
    start = text.indexOf('{', isRecord(value) ? end : start + 1)
  }
  return best?.value ?? null
}

const WHOLE = /^\s{0,9}\[?\s?#?(\d{1,9})\]?\s{0,9}$/

/**
 * Converts a value to the form of a schema as far as possible without guessing: drops unknown properties, wraps single entries
 * in lists, and parses digits as numbers. Missing properties stay missing.
 */
export function fitToSchema(value: unknown, schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return isRecord(value) ? fitObject(value, schema) : value
    case 'array': {
      const { items = {} } = schema
      if (value === null || value === undefined) return value
      return (Array.isArray(value) ? value : [value]).map((item) => fitToSchema(item, items))
    }
    case 'integer': {
      const digits = typeof value === 'string' ? WHOLE.exec(value)?.[1] : undefined
      return digits === undefined ? value : Number(digits)
    }
    default:
      return value
  }
}

function fitObject(value: Record<string, unknown>, { properties = {}, required = [] }: Schema): unknown {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]): [string, unknown][] => {
      if (Object.hasOwn(value, name) && value[name] !== null) return [[name, fitToSchema(value[name], inner)]]
      // A list that was left out is empty.
      return inner.type === 'array' && required.includes(name) ? [[name, []]] : []
    }),
  )
}
