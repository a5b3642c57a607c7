import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { buildPublishedOpenApi } from './published-openapi.ts'

const BANNER = '// Generated from the OpenAPI document by `npm run generate`. Do not edit.\n'

interface Schema extends Record<string, unknown> {
  properties?: Record<string, { const?: unknown }>
  required?: string[]
}

/**
 * Returns the types of the SDK: those of all schemas of the published document. Those of errors become one type, the details of each code; those of events
 * are also the parts of one.
 */
export async function buildPublishedTypes(): Promise<string> {
  const { components, webhooks } = JSON.parse(buildPublishedOpenApi()) as {
    components: { schemas: Record<string, Schema> }
    webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: unknown } } } } }>
  }
  const schemas = Object.entries(components.schemas)
  const declarations = await Promise.all([
    ...schemas.filter(([, schema]) => codeOf(schema) === undefined).map(([name, schema]) => declare(name, schema)),
    declare('ErrorDetails', describeDetails(schemas.map(([, schema]) => schema))),
    declare('WebhookEvent', {
      description: 'An event as it is delivered. `event` tells which one it is.',
      anyOf: Object.values(webhooks).map(({ post }) => post.requestBody.content['application/json'].schema),
    }),
  ])
  return BANNER + declarations.join('\n')
}

const declare = (name: string, schema: Schema): Promise<string> =>
  compile({ ...(nameReferences(schema) as JSONSchema), title: name }, name, {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })

/** Returns the code of an error's schema; undefined for other schemas. */
const codeOf = ({ properties }: Schema): string | undefined =>
  typeof properties?.code?.const === 'string' ? properties.code.const : undefined

function describeDetails(schemas: Schema[]): Schema {
  const errors = schemas.flatMap((schema) => {
    const [code, details] = [codeOf(schema), schema.properties?.details]
    return code !== undefined && details ? [{ code, details, always: schema.required?.includes('details') }] : []
  })
  return {
    description: 'Content of `details` by error code.',
    type: 'object',
    properties: Object.fromEntries(errors.map(({ code, details }) => [code, details])),
    required: errors.filter(({ always }) => always).map(({ code }) => code),
  }
}

/** Replaces every reference by the name of its type, so that no type is repeated in another. */
function nameReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameReferences)
  if (typeof value !== 'object' || value === null) return value
  if (!('$ref' in value && typeof value.$ref === 'string')) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nameReferences(inner)]))
  }
  const { $ref, description, deprecated } = value as { $ref: string; description?: string; deprecated?: boolean }
  return { tsType: $ref.split('/').at(-1), ...(description && { description }), ...(deprecated && { deprecated }) }
}
