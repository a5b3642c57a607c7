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

test('adds up what the job paid for; what it took over was paid for elsewhere', () => {
  expect(buildUsage([summary(false, 0.1), summary(false, 0.2), summary(true, 9)])).toEqual({
    input_tokens: 1_200,
    output_tokens: 40,
    cached_input_tokens: 2_000,
    total_tokens: 3_240,
    cost_usd: 0.3,
    model: 'model-a',
    cached: false,
  })
})

test.each([
  ['all of them were there', [summary(true)], 'model-a'],
  ['there are none', [], 'none'],
])('is nothing when %s', (_, summaries, model) => {
  expect(buildUsage(summaries)).toEqual({
    input_tokens: 0,
    output_tokens: 0,
    cached_input_tokens: 0,
    total_tokens: 0,
    cost_usd: 0,
    model,
    cached: true,
  })
})
