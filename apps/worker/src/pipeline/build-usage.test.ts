import type { Spending } from '@subtext/contracts'
import type { JobSummary } from '@subtext/db'
import { buildUsage } from './build-usage.ts'

const summary = (reused: boolean, costUsd = 0.1): JobSummary => ({
  id: 'id',
  transcriptId: 'transcript',
  mode: 'tldr',
  model: 'model-a',
  content: { overview: [], sections: [] },
  usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 1_000, cacheWriteTokens: 500, costUsd },
  reused,
})

const receipt = (times: number, cost_usd: number) => ({
  ...{ fresh_input_tokens: times * 100, cache_write_tokens: times * 500, cached_input_tokens: times * 1_000 },
  ...{ output_tokens: times * 20, cost_usd },
})

test('adds up what the job paid for; what it took over was paid for elsewhere', () => {
  const { usage } = summary(false, 0.05)
  const notes = { purpose: 'notes', mode: null, model: 'model-a', usage } as const
  const summaries = [
    summary(false, 0.1),
    { ...summary(false, 0.2), mode: 'detailed' as const },
    { ...summary(true, 9), mode: 'timestamped' as const },
  ]
  expect(buildUsage(summaries, [notes])).toEqual({
    input_tokens: 1_800,
    output_tokens: 60,
    cached_input_tokens: 3_000,
    cache_write_tokens: 1_500,
    total_tokens: 4_860,
    cost_usd: 0.35,
    model: 'model-a',
    cached: false,
    by_mode: { tldr: receipt(1, 0.1), detailed: receipt(1, 0.2), timestamped: receipt(0, 0) },
    overhead: receipt(1, 0.05),
  })
})

test.each([
  ['all of them were there', [summary(true)], 'model-a', true],
  ['there are none', [], 'none', false],
])('is nothing when %s', (_, summaries, model, cached) => {
  expect(buildUsage(summaries)).toMatchObject({
    input_tokens: 0,
    output_tokens: 0,
    cached_input_tokens: 0,
    total_tokens: 0,
    cost_usd: 0,
    model,
    cached,
  })
})

const substitute = { ...summary(false, 0), model: 'extractive' }
const taken = { ...summary(true), model: 'model-b' }
const refused = { purpose: 'refused', mode: null, model: 'model-a', usage: summary(false).usage } as const

test.each<[string, JobSummary[], Spending[], string]>([
  ['stood in for it in one mode', [substitute, summary(false)], [], 'model-a'],
  ['stood in for it in every mode', [substitute], [refused], 'model-a'],
  ['wrote what was taken over', [taken], [refused], 'model-a'],
  ['wrote another summary before', [taken, summary(false)], [], 'model-a'],
  ['wrote nothing, as it did', [], [refused], 'model-a'],
])('the model is the one that was paid, whoever %s', (_, summaries, spendings, model) => {
  expect(buildUsage(summaries, spendings).model).toBe(model)
})

test('where nothing was paid, it is the one that wrote the summaries', () => {
  expect(buildUsage([substitute]).model).toBe('extractive')
  expect(buildUsage([substitute, taken]).model).toBe('model-b')
})
