import { readFile } from 'node:fs/promises'
import { buildPublishedTypes, PUBLISHED_TYPES } from './published-types.ts'
import { buildPublishedVocabulary, PUBLISHED_VOCABULARY } from './published-vocabulary.ts'

test('the committed types of the SDK are up to date; npm run openapi -w @subtext/api writes them', async () => {
  expect(await buildPublishedTypes()).toBe(await readFile(PUBLISHED_TYPES, 'utf8'))
})

test('the committed lists for clients are up to date; npm run openapi -w @subtext/api writes them', async () => {
  expect(buildPublishedVocabulary()).toBe(await readFile(PUBLISHED_VOCABULARY, 'utf8'))
})
