import { writeFile } from 'node:fs/promises'
import { buildPublishedOpenApi, PUBLISHED_OPENAPI } from './published-openapi.ts'

await writeFile(PUBLISHED_OPENAPI, buildPublishedOpenApi())
