import { SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { longVideo, startMessagesApi } from '@subtext/fakes'
import { createAnthropicModel, createCostComputer } from '@subtext/llm'
import { createModelSummarizer, type SummarySource } from '@subtext/summarize'
import { newSource } from '@subtext/summarize/testing'

const LENGTHS = [
  { name: '10 minutes', hours: 1 / 6 },
  { name: '1 hour', hours: 1 },
  { name: '10 hours', hours: 10 },
]
const MODEL = 'claude-haiku-5-5'
const WIDTHS = [12, 6, 14, 7, 11, 11, 11, 11, 12]
const formatRow = (cells: unknown[]): string =>
  cells.map((cell, index) => String(cell).padStart(WIDTHS[index] ?? 0)).join('')

function buildSource(hours: number): SummarySource {
  const video = longVideo({ id: 'sbtx-costs1', hours })
  return newSource([...(video.tracks[0]?.cues() ?? [])], { kind: 'auto', title: video.title })
}

async function measure(hours: number, modes: SummaryMode[]) {
  const api = await startMessagesApi()
  const summarizer = createModelSummarizer(createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model: MODEL }))
  let strategy = ''
  const unwritten = await summarizer.summarize(buildSource(hours), modes, {
    signal: new AbortController().signal,
    onSummary: async ({ quality }) => {
      strategy = quality?.strategy ?? ''
    },
    onSpending: async () => {},
  })
  if (unwritten[0]) throw unwritten[0].error
  const usages = api.calls.flatMap(({ usage }) => usage ?? [])
  await api.close()
  const sum = (pick: (usage: (typeof usages)[0]) => number) => usages.reduce((total, usage) => total + pick(usage), 0)
  const price = createCostComputer()
  const cost = (outputShare: number) =>
    sum((usage) =>
      price(MODEL, {
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens * outputShare,
        cachedInputTokens: usage.cache_read_input_tokens,
        cacheWriteTokens: usage.cache_creation_input_tokens,
      }),
    )
  return {
    strategy,
    calls: usages.length,
    inputUsd: cost(0),
    usd: cost(1),
    fresh: sum((usage) => usage.input_tokens),
    written: sum((usage) => usage.cache_creation_input_tokens),
    read: sum((usage) => usage.cache_read_input_tokens),
    output: sum((usage) => usage.output_tokens),
  }
}

/** Returns a table of the cost of summaries by length of the video and number of modes, from the token counts of the fake API. */
export async function measureSummaryCosts(): Promise<string> {
  const lines = [formatRow(['length', 'modes', 'strategy', 'calls', 'fresh', 'written', 'read', 'output', 'US$'])]
  for (const { name, hours } of LENGTHS) {
    const one = await measure(hours, ['detailed'])
    const five = await measure(hours, [...SUMMARY_MODES])
    for (const [modes, row] of [[1, one] as const, [5, five] as const]) {
      const { strategy, calls, fresh, written, read, output, usd } = row
      lines.push(formatRow([name, modes, strategy, calls, fresh, written, read, output, usd.toFixed(5)]))
    }
    lines.push(`${' '.repeat(14)}input of five modes / of one: ${(five.inputUsd / one.inputUsd).toFixed(2)}`)
  }
  return lines.join('\n')
}
