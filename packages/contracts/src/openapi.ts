import type { RouteShape } from './define-route.ts'
import { API_PREFIX } from './envelope.ts'
import { createErrorWriter } from './openapi/errors.ts'
import { describeResponseHeaders } from './openapi/headers.ts'
import { describeOperation, tagOf } from './openapi/operations.ts'
import { DESCRIPTION, TAGS } from './openapi/prose.ts'
import { createSchemaWriter, type Json } from './openapi/schemas.ts'
import { describeWebhooks } from './openapi/webhooks.ts'

/** Version of the latest release in the changelog. */
const INTERFACE_VERSION = '1.2.0'

/**
 * Builds the OpenAPI 3.1 document of the routes (https://spec.openapis.org/oas/v3.1.1). Schemas with an id become components.
 * The error codes of one status share a response, and so do routes with the same codes. `server`: public origin of the API.
 */
export function buildOpenApi(routes: RouteShape[], server: string): Json {
  const schemas = createSchemaWriter()
  const errors = createErrorWriter(schemas)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(route, schemas, errors) }
  }
  const webhooks = describeWebhooks(schemas)
  const tags = new Set([...routes.map(tagOf), 'webhooks'])
  return {
    openapi: '3.1.1',
    info: {
      title: 'Subtext',
      version: INTERFACE_VERSION,
      summary: 'Turns public videos into transcripts and summaries.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${server}${API_PREFIX}` }],
    tags: Object.entries(TAGS)
      .filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }, { apiKey: [] }, { session: [] }],
    paths,
    webhooks,
    components: {
      schemas: sortByName(schemas.components),
      responses: sortByName(errors.responses),
      headers: describeResponseHeaders(),
      examples: sortByName(errors.examples),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key: `Authorization: Bearer sk_...`.' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The API key, for clients that cannot set `Authorization`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-subtext.session_token',
          description: 'The session of a person who has signed in. Without HTTPS, the name has no `__Host-`.',
        },
      },
    },
  }
}

/** Sorts components by name, so that moving a route does not change the document. */
const sortByName = (group: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(group).sort(([a], [b]) => (a < b ? -1 : 1)))
