import { buildOpenApi, ROUTES } from '@subtext/contracts'

/** The committed OpenAPI document: clients are generated from it, and reviews show changes of the API in it. */
export const PUBLISHED_OPENAPI = new URL('openapi.json', import.meta.url)

/** Returns the text of the document for a service at its default address. */
export const buildPublishedOpenApi = (): string =>
  `${JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000'), null, 2)}\n`
