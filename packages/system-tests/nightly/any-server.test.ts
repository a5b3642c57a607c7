import { StructuredResult, SUMMARY_MODES } from '@subtext/contracts'
import { SAMPLE_TALKS, SERVER_KINDS, type ServerKind } from '@subtext/fakes'
import { findViolations, useClient, useTestSystem } from '@subtext/testbed'
import { createSummaryJobs } from '../src/model/summary-jobs.ts'

const KINDS = Object.keys(SERVER_KINDS) as ServerKind[]

// Summaries by a model of an operator's own. The systems run one after the other.
describe.each(KINDS)('a model server with: %s', (kind) => {
  const { contextTokens } = SERVER_KINDS[kind]
  const isSmall = Number.isFinite(contextTokens)
  const system = useTestSystem({
    messagesApi: kind,
    settings: {
      SUMMARY_MODEL: 'a-model',
      MODEL_TIMEOUT_SECONDS: '600',
      MODEL_SILENCE_SECONDS: '300',
      ...(isSmall && { MODEL_CONTEXT_TOKENS: String(contextTokens) }),
    },
  })
  const { newVideo, finish } = createSummaryJobs(system, useClient(system, { scopes: ['admin'] }))

  test.each<[string, () => string, object]>([
    ['a short talk', () => system.addCopy(SAMPLE_TALKS.english).id, {}],
    ['a talk in another language', () => system.addCopy(SAMPLE_TALKS.german).id, { output_language: 'nl' }],
    ['twenty minutes', newVideo, {}],
    ['two hours', () => newVideo(2), { summary_modes: ['timestamped'] }],
  ])('writes every summary of %s, and cites only what is said', async (_, add, options) => {
    const { job, data, warnings } = await finish(add(), { summary_modes: SUMMARY_MODES, ...options })
    expect([job.status, warnings]).toEqual(['completed', []])
    const { summaries, quality, usage } = StructuredResult.parse(data)
    const wanted = 'summary_modes' in options ? options.summary_modes : SUMMARY_MODES
    expect(Object.keys(summaries).sort()).toEqual([...(wanted as string[])].sort())
    for (const { model, citations } of Object.values(summaries)) {
      expect(model).toBe('a-model')
      expect(citations.length).toBeGreaterThan(0)
    }
    expect(quality).toMatchObject({ unsupported_claims: 0, citation_precision: 1, truncated: false })
    // A model without prices costs nothing, and its tokens count.
    expect([usage.cost_usd, usage.input_tokens > 0]).toEqual([0, true])
  })

  test('leaves every invariant intact', async () => {
    expect(await findViolations(system)).toEqual({})
  })
})
