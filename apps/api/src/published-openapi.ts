import { buildOpenApi } from '@subtext/contracts'
import { ROUTES } from './routes.ts'

/** The committed OpenAPI document: what clients are generated from, and where a change of the interface shows in review. */
export const PUBLISHED_OPENAPI = new URL('openapi.json', import.meta.url)

/** Text of the document for a service at its default address. */
export const buildPublishedOpenApi = (): string =>
  `${JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000'), null, 2)}\n`
