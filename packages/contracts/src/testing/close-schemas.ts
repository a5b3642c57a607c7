type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the document with `additionalProperties: false` in every object schema: clients ignore unknown fields, tests
 * report them. Discriminators lose their mapping, which the validator does not support.
 */
export function closeSchemas<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closeSchemas) as T
  if (!isObject(value)) return value
  const closed: Json = {}
  // Examples are values, not schemas, even if they look like one.
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'discriminator' && isObject(inner)) closed[name] = { propertyName: inner.propertyName }
    else closed[name] = name === 'example' ? inner : closeSchemas(inner)
  }
  if (value.type === 'object' && isObject(value.properties) && !('additionalProperties' in value)) {
    closed.additionalProperties = false
  }
  return closed as T
}
