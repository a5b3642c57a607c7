import type { Spending } from '@subtext/contracts'
import type { JobSummary } from '../summaries/summaries-sql.ts'
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
  fresh_input_tokens: times * 100,
  cache_write_tokens: times * 500,
  cached_input_tokens: times * 1_000,
  output_tokens: times * 20,
  cost_usd,
})

test('buildUsage adds up what the job paid for, without the summaries that it reused', () => {
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
  ['all summaries are reused', [summary(true)], 'model-a', true],
  ['there are no summaries', [], 'none', false],
])('buildUsage returns no costs when %s', (_, summaries, model, cached) => {
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

const fallback = { ...summary(false, 0), model: 'extractive' }
const reused = { ...summary(true), model: 'model-b' }
const refused = { purpose: 'refused', mode: null, model: 'model-a', usage: summary(false).usage } as const

test.each<[string, JobSummary[], Spending[], string]>([
  ['wrote one of two summaries', [fallback, summary(false)], [], 'model-a'],
  ['was refused in every mode', [fallback], [refused], 'model-a'],
  ['was refused beside a reused summary', [reused], [refused], 'model-a'],
  ['wrote a summary beside a reused one', [reused, summary(false)], [], 'model-a'],
  ['wrote nothing', [], [refused], 'model-a'],
])('buildUsage names the model that this job paid, which %s', (_, summaries, spendings, model) => {
  expect(buildUsage(summaries, spendings).model).toBe(model)
})

test('buildUsage names the model of the summaries when the job paid for nothing', () => {
  expect(buildUsage([fallback]).model).toBe('extractive')
  expect(buildUsage([fallback, reused]).model).toBe('model-b')
})
