import { readFile, writeFile } from 'node:fs/promises'
import { buildPublishedOpenApi, ERRORS_GUIDE, PUBLISHED_OPENAPI, updateErrorsGuide } from './published-openapi.ts'

await writeFile(PUBLISHED_OPENAPI, buildPublishedOpenApi())
await writeFile(ERRORS_GUIDE, updateErrorsGuide(await readFile(ERRORS_GUIDE, 'utf8')))
