import { GUIDE_TABLES, updateTables } from './published-guides.ts'
import { buildPublishedOpenApi } from './published-openapi.ts'
import { buildPublishedTypes } from './published-types.ts'
import { buildPublishedVocabulary } from './published-vocabulary.ts'
import { buildPublishedPython } from './python/index.ts'

/**
 * The committed files that are generated from the contract, by their paths, with what builds each from its present text:
 * clients are generated from the OpenAPI document, and reviews show changes of the API in it.
 */
export const GENERATED: Record<string, (text: string) => string | Promise<string>> = {
  'apps/api/src/openapi.json': buildPublishedOpenApi,
  'packages/sdk/src/generated/types.ts': buildPublishedTypes,
  'packages/sdk/src/generated/vocabulary.ts': buildPublishedVocabulary,
  'clients/python/subtext/types.py': () => buildPublishedPython().types,
  'clients/python/subtext/_calls.py': () => buildPublishedPython().calls,
  ...Object.fromEntries(
    Object.keys(GUIDE_TABLES).map((guide) => [`docs/guides/${guide}`, (text) => updateTables(guide, text)]),
  ),
}
