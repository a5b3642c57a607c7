import { readFile } from 'node:fs/promises'
import { buildPublishedOpenApi, PUBLISHED_OPENAPI } from './published-openapi.ts'

const UPDATE = 'npm run openapi -w @subtext/api'

test(`the committed OpenAPI document is what the routes describe; after a change of theirs: ${UPDATE}`, async () => {
  const committed: unknown = JSON.parse(await readFile(PUBLISHED_OPENAPI, 'utf8'))
  expect(JSON.parse(buildPublishedOpenApi())).toEqual(committed)
})
