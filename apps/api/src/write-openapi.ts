import { readFile, writeFile } from 'node:fs/promises'
import { GUIDE_TABLES, GUIDES, updateTables } from './published-guides.ts'
import { buildPublishedOpenApi, PUBLISHED_OPENAPI } from './published-openapi.ts'
import { buildPublishedTypes, PUBLISHED_TYPES } from './published-types.ts'
import { buildPublishedVocabulary, PUBLISHED_VOCABULARY } from './published-vocabulary.ts'

await writeFile(PUBLISHED_OPENAPI, buildPublishedOpenApi())
await writeFile(PUBLISHED_TYPES, await buildPublishedTypes())
await writeFile(PUBLISHED_VOCABULARY, buildPublishedVocabulary())
for (const guide of Object.keys(GUIDE_TABLES)) {
  const file = new URL(guide, GUIDES)
  await writeFile(file, updateTables(guide, await readFile(file, 'utf8')))
}
