import { ServiceError, type Summary, type SummaryMode } from '@subtext/contracts'
import { createAnthropicModel } from '@subtext/llm'
import { createExtractiveSummarizer } from './extractive/extractive-summarizer.ts'
import { createModelSummarizer } from './model/model-summarizer.ts'
import { openProvider, type TestProvider } from './testing/provider.ts'
import { newSource, newTalk, SHORT } from './testing/source.ts'
import { withFallback } from './with-fallback.ts'

/** Too long for one request for all modes. */
const LONG = newSource(newTalk(300))
const MODES: SummaryMode[] = ['tldr', 'detailed', 'timestamped']

let provider: TestProvider
beforeEach(async () => {
  provider = await openProvider()
})
afterEach(() => provider.api.close())

async function summarize(source = LONG, maxPromptTokens?: number) {
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: provider.api.baseUrl, model: 'claude-haiku-5-5' })
  const summarizer = withFallback(createModelSummarizer(model, { maxPromptTokens }), createExtractiveSummarizer())
  const written: Summary[] = []
  const spendings: (SummaryMode | null)[] = []
  const unwritten = await summarizer.summarize(source, MODES, {
    signal: new AbortController().signal,
    onSummary: async (summary) => void written.push(summary),
    onSpending: async ({ mode }) => void spendings.push(mode),
  })
  return { models: Object.fromEntries(written.map(({ mode, model: by }) => [mode, by])), unwritten, spendings }
}

const EXTRACTIVE = { tldr: 'extractive', detailed: 'extractive', timestamped: 'extractive' }

test.each([
  ['plain text', '# Summary\n\nThe harbour measures the tide.\n\n- The ferry describes old soundings.'],
  ['JSON of another structure', '{"summary":"The harbour measures the tide.","key_points":["The ferry"]}'],
  ['an empty text', ''],
  ['claims that nobody made', '{"tldr":[{"sentences":[{"text":"Zebras vote","segment_ids":[1]}]}]}'],
])('writes every mode with the fallback if the model always answers with %s', async (_, text) => {
  provider.api.failNext({ kind: 'answer', text }, { times: 99 })
  for (const [source, maxPromptTokens] of [[SHORT], [LONG], [LONG, 8_000]] as const) {
    const { models, unwritten, spendings } = await summarize(source, maxPromptTokens)
    expect([models, unwritten]).toEqual([EXTRACTIVE, []])
    // The unusable answers are billed anyway.
    expect(spendings.length).toBeGreaterThan(0)
  }
})

test('writes only the mode without a usable answer with the fallback', async () => {
  provider.api.failNext({ kind: 'answer', text: 'no' }, { instructionIncludes: '"detailed"', times: 9 })
  const { models, unwritten } = await summarize()
  expect([models, unwritten]).toEqual([
    { tldr: 'claude-haiku-5-5', detailed: 'extractive', timestamped: 'claude-haiku-5-5' },
    [],
  ])
})

test('returns the final failure of the fallback if that cannot summarize the transcript either', async () => {
  provider.api.failNext({ kind: 'answer', text: 'no' }, { times: 99 })
  const { models, unwritten } = await summarize(newSource([{ startMs: 0, durationMs: 900, text: '♪' }]))
  expect(models).toEqual({})
  expect(unwritten).toMatchObject(MODES.map((mode) => ({ mode, reason: 'wordless', error: { retryable: false } })))
})

test.each([
  ['refuses to answer', { kind: 'refusal' } as const, 'declined'],
  ['is unavailable', { status: 503, headers: { 'x-should-retry': 'false' } }, 'unavailable'],
])('does not use the fallback if the model %s', async (_, fault, reason) => {
  provider.api.failNext(fault, { instructionIncludes: '"detailed"', times: 9 })
  const { models, unwritten } = await summarize()
  expect(Object.keys(models).sort()).toEqual(['timestamped', 'tldr'])
  expect(unwritten).toMatchObject([{ mode: 'detailed', reason, error: expect.any(ServiceError) }])
})
