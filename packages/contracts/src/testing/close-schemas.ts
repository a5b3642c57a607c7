type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The document with every described object closed: what a reader may ignore, a test must not. Discriminators lose their
 * mapping, which the validator does not read.
 */
export function closeSchemas<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closeSchemas) as T
  if (!isObject(value)) return value
  const closed: Json = {}
  // Examples are values, not schemas, whatever they look like.
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'discriminator' && isObject(inner)) closed[name] = { propertyName: inner.propertyName }
    else closed[name] = name === 'example' ? inner : closeSchemas(inner)
  }
  if (value.type === 'object' && isObject(value.properties) && !('additionalProperties' in value)) {
    closed.additionalProperties = false
  }
  return closed as T
}
