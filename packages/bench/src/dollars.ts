import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { longVideo, startMessagesApi } from '@subtext/fakes'
import { type ComputeCostUsd, createAnthropicModel, createCostComputer } from '@subtext/llm'
import { createModelSummarizer } from '@subtext/summarize'
import { newSource } from '@subtext/summarize/testing'
import { readModelEnv } from './env.ts'
import type { Part } from './part.ts'
import { formatLine } from './table.ts'

const LENGTHS = [
  { name: '10 minutes', hours: 1 / 6 },
  { name: '1 hour', hours: 1 },
  { name: '10 hours', hours: 10 },
]
const CASES: { name: string; modes: readonly SummaryMode[] }[] = [
  ...SUMMARY_MODES.map((mode) => ({ name: mode, modes: [mode] })),
  { name: 'all five', modes: SUMMARY_MODES },
]
const WIDTHS = [14, 16, 8, 12, 12, 12, 12, 12]

/** Returns the tokens that a stand-in for the model counts, and their price. */
async function measure(hours: number, modes: readonly SummaryMode[], model: string, price: ComputeCostUsd) {
  const api = await startMessagesApi()
  const summarizer = createModelSummarizer(createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model }))
  const video = longVideo({ id: 'sbtx-costs1', hours })
  const source = newSource([...(video.tracks[0]?.cues() ?? [])], { kind: 'auto', title: video.title })
  const unwritten = await summarizer.summarize(source, [...modes], {
    signal: new AbortController().signal,
    onSummary: async () => {},
    onSpending: async () => {},
  })
  if (unwritten[0]) throw unwritten[0].error
  const calls = api.calls.flatMap(({ usage }) => usage ?? [])
  await api.close()
  const usages = calls.map((call) => ({
    inputTokens: call.input_tokens,
    outputTokens: call.output_tokens,
    cachedInputTokens: call.cache_read_input_tokens,
    cacheWriteTokens: call.cache_creation_input_tokens,
  }))
  const sum = (pick: (usage: (typeof usages)[number]) => number): number =>
    usages.reduce((total, usage) => total + pick(usage), 0)
  return {
    calls: usages.length,
    input: sum(({ inputTokens }) => inputTokens),
    written: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    read: sum(({ cachedInputTokens }) => cachedInputTokens),
    output: sum(({ outputTokens }) => outputTokens),
    usd: sum((usage) => price(model, usage)),
  }
}

/** Measures what summaries cost by mode and length of the video, at the prices of `MODEL_PRICES`. */
export const measureDollars: Part = async () => {
  const { SUMMARY_MODEL: model, MODEL_PRICES } = readModelEnv()
  const price = createCostComputer(MODEL_PRICES)
  const head = ['length', 'mode', 'calls', 'input', 'cache write', 'cache read', 'output', 'US$']
  const lines = [`summaries by ${model}`, formatLine(head, WIDTHS)]
  for (const length of LENGTHS) {
    for (const [nth, { name, modes }] of CASES.entries()) {
      const { calls, input, written, read, output, usd } = await measure(length.hours, modes, model, price)
      const counts = [calls, input, written, read, output].map((count) => count.toLocaleString('en'))
      lines.push(formatLine([nth === 0 ? length.name : '', name, ...counts, usd.toFixed(5)], WIDTHS))
    }
  }
  return lines.join('\n')
}
