import { ServiceError, type Summary, type SummaryMode } from '@subtext/contracts'
import { createAnthropicModel } from '@subtext/llm'
import { createExtractiveSummarizer } from './extractive/extractive-summarizer.ts'
import { createModelSummarizer } from './model/model-summarizer.ts'
import { HOUR, newSource, openProvider, SHORT } from './testing/source.ts'
import { withSubstitute } from './with-substitute.ts'

const MODES: SummaryMode[] = ['tldr', 'detailed', 'timestamped']

let provider: Awaited<ReturnType<typeof openProvider>>
beforeEach(async () => {
  provider = await openProvider()
})
afterEach(() => provider.api.close())

async function summarize(source = HOUR, maxPromptTokens?: number) {
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: provider.api.baseUrl, model: 'claude-haiku-5-5' })
  const summarizer = withSubstitute(createModelSummarizer(model, { maxPromptTokens }), createExtractiveSummarizer())
  const written: Summary[] = []
  const spent: (SummaryMode | null)[] = []
  const unwritten = await summarizer.summarize(source, MODES, {
    signal: new AbortController().signal,
    onSummary: async (summary) => void written.push(summary),
    onSpending: async ({ mode }) => void spent.push(mode),
  })
  return { models: Object.fromEntries(written.map(({ mode, model: by }) => [mode, by])), unwritten, spent }
}

const EXTRACTIVE = { tldr: 'extractive', detailed: 'extractive', timestamped: 'extractive' }

test.each([
  ['plain text', '# Summary\n\nThe harbour measures the tide.\n\n- The ferry describes old soundings.'],
  ['JSON of another shape', '{"summary":"The harbour measures the tide.","key_points":["The ferry"]}'],
  ['nothing', ''],
  ['what nobody has said', '{"tldr":[{"sentences":[{"text":"Zebras vote","segment_ids":[1]}]}]}'],
])('a model that always answers with %s: every mode is there, made of the transcript', async (_, text) => {
  provider.api.failNext({ kind: 'answer', text }, { times: 99 })
  for (const [source, room] of [[SHORT], [HOUR], [HOUR, 8_000]] as const) {
    const { models, unwritten, spent } = await summarize(source, room)
    expect([models, unwritten]).toEqual([EXTRACTIVE, []])
    // The answers are paid for all the same.
    expect(spent.length).toBeGreaterThan(0)
  }
})

test('only the mode without a usable answer is replaced', async () => {
  provider.api.failNext({ kind: 'answer', text: 'no' }, { instructionIncludes: '"detailed"', times: 9 })
  const { models, unwritten } = await summarize()
  expect([models, unwritten]).toEqual([
    { tldr: 'claude-haiku-5-5', detailed: 'extractive', timestamped: 'claude-haiku-5-5' },
    [],
  ])
})

test('where the substitute has nothing to go by either, that is the reason, for good', async () => {
  provider.api.failNext({ kind: 'answer', text: 'no' }, { times: 99 })
  const { models, unwritten } = await summarize(newSource([{ startMs: 0, durationMs: 900, text: '♪' }]))
  expect(models).toEqual({})
  expect(unwritten).toMatchObject(MODES.map((mode) => ({ mode, reason: 'wordless', error: { retryable: false } })))
})

test.each([
  ['refuses', { kind: 'refusal' } as const, 'declined'],
  ['is away', { status: 503, headers: { 'x-should-retry': 'false' } }, 'unavailable'],
])('a model that %s is not replaced', async (_, fault, reason) => {
  provider.api.failNext(fault, { instructionIncludes: '"detailed"', times: 9 })
  const { models, unwritten } = await summarize()
  expect(Object.keys(models).sort()).toEqual(['timestamped', 'tldr'])
  expect(unwritten).toMatchObject([{ mode: 'detailed', reason, error: expect.any(ServiceError) }])
})
