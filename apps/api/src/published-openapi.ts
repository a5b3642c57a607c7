import { buildOpenApi, ROUTES } from '@subtext/contracts'

/** Returns the text of the committed OpenAPI document for a service at its default address. */
export const buildPublishedOpenApi = (): string =>
  `${JSON.stringify(buildOpenApi(ROUTES, 'http://127.0.0.1:3000'), null, 2)}\n`
