import { readFile } from 'node:fs/promises'
import { buildPublishedTypes, PUBLISHED_TYPES } from './published-types.ts'

test('the committed types of the SDK are up to date; npm run openapi -w @subtext/api writes them', async () => {
  expect(await buildPublishedTypes()).toBe(await readFile(PUBLISHED_TYPES, 'utf8'))
})
