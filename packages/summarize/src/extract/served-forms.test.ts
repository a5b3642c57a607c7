import type { FormSchema } from '@subtext/contracts'
import { createExtractiveSummarizer } from '../extractive/extractive-summarizer.ts'
import { openProvider } from '../testing/provider.ts'
import { newSource, newTalk } from '../testing/source.ts'
import { createExtractor } from './extractor.ts'

const FORM: FormSchema = {
  type: 'object',
  properties: {
    points: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, is_news: { type: ['boolean', 'null'] } },
        required: ['text'],
      },
    },
    kind: { type: ['string', 'null'], enum: ['talk', 'interview', null] },
    rating: { type: ['integer', 'null'] },
  },
  required: ['points'],
}

test.each([
  ['the provider', undefined],
  ['a server that takes no schema', 'llama.cpp'],
] as const)('fills a form with the answers of %s', async (_, kind) => {
  const { api, model } = await openProvider(kind === undefined ? {} : { kind })
  const extractor = createExtractor({
    extractive: createExtractiveSummarizer(),
    model: model({ isCompatible: kind !== undefined }),
  })
  const outcome = await extractor
    .extract(
      newSource(newTalk(40)),
      { name: 'own', isBuiltIn: false, instructions: 'Only what is measured.', schema: FORM },
      { signal: new AbortController().signal, onSpending: async () => {} },
    )
    .finally(() => api.close())
  if (!('content' in outcome)) throw new Error(outcome.missing)
  const { points, kind: chosen } = outcome.content.data as { points: { text: string }[]; kind: string }
  expect(points.length).toBeGreaterThan(0)
  expect(points[0]?.text).toContain('Entry 1')
  expect([chosen, (outcome.content.evidence['/kind'] ?? []).length > 0]).toEqual(['talk', true])
  expect(api.calls.at(-1)?.instruction).toContain('Only what is measured.')
})
