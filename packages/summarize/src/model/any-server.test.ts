import { listPoints, SUMMARY_MODES } from '@subtext/contracts'
import { SERVER_KINDS, type ServerKind } from '@subtext/fakes'
import { createAnthropicModel } from '@subtext/llm'
import { createExtractiveSummarizer } from '../extractive/extractive-summarizer.ts'
import { createInfographicWriter } from '../infographic/write-infographic.ts'
import type { SummarySource } from '../summarizer.ts'
import { createNotesStore, openProvider, type TestProvider } from '../testing/provider.ts'
import { HOUR, newSource, newTalk, SHORT } from '../testing/source.ts'

const CHARACTERS_PER_TOKEN = 4

describe.each(Object.keys(SERVER_KINDS) as ServerKind[])('a server with: %s', (kind) => {
  const isSmall = SERVER_KINDS[kind].contextTokens < 10_000
  const options = { isCompatible: true, model: 'a-model', ...(isSmall && { contextTokens: 4_096 }) }

  let provider: TestProvider
  beforeEach(async () => {
    provider = await openProvider({ kind })
  })
  afterEach(() => provider.api.close())

  async function expectAllModes(source: SummarySource) {
    const outcome = await provider.run([...SUMMARY_MODES], { ...options, source, notes: createNotesStore() })
    expect(outcome.unwritten).toEqual([])
    expect(outcome.unusable).toEqual([])
    expect(outcome.written.map(({ mode }) => mode).sort()).toEqual([...SUMMARY_MODES].sort())
    for (const { content, quality, usage, model } of outcome.written) {
      const points = listPoints(content)
      expect(points.length).toBeGreaterThan(0)
      const ids = points.flatMap(({ segmentIds }) => segmentIds)
      expect(ids.length).toBeGreaterThan(0)
      expect(ids.every((id) => source.cues[id - 1] !== undefined)).toBe(true)
      expect(quality?.supportedCitations).toBe(quality?.citations)
      expect(model).toBe('a-model')
      expect(usage.costUsd).toBe(0)
    }
    return outcome
  }

  test('writes all modes of a short talk', async () => {
    await expectAllModes(SHORT)
  })

  test('writes all modes of an hour, in parts where the context is small', async () => {
    const { written } = await expectAllModes(HOUR)
    const strategies = new Set(written.map(({ quality }) => quality?.strategy))
    expect(strategies).toEqual(new Set([isSmall ? 'map_reduce' : 'per_mode']))
  })

  test('writes in another language, with quotations', async () => {
    await expectAllModes(newSource(newTalk(60), { outputLanguage: 'de' }))
  })

  test('fits every prompt and its answer into the context, so that nothing is cut', async () => {
    await expectAllModes(newSource(newTalk(300), { title: 'T'.repeat(400) }))
    const { contextTokens } = SERVER_KINDS[kind]
    for (const { body } of provider.api.calls) {
      const { system, messages, max_tokens } = body
      const characters = JSON.stringify([system, messages]).length
      // The server finds out the first time; what it refuses or cuts is asked again in parts.
      if (isSmall) expect(characters / CHARACTERS_PER_TOKEN + max_tokens).toBeLessThanOrEqual(contextTokens)
    }
    expect(provider.api.calls.some(({ aborted }) => aborted)).toBe(false)
  })

  test('writes an infographic', async () => {
    const { written } = await provider.run(['detailed'], { ...options, source: HOUR })
    const writer = createInfographicWriter({
      extractive: createExtractiveSummarizer(),
      model: createAnthropicModel({ apiKey: 'k', baseUrl: provider.api.baseUrl, ...options }),
      limits: options,
    })
    const content = await writer.write(HOUR, written, {
      signal: new AbortController().signal,
      onSpending: async ({ purpose, usage }) => {
        // Only what a server ignored is asked twice.
        expect(['infographic', 'failed', 'unusable']).toContain(purpose)
        expect(usage.costUsd).toBe(0)
      },
    })
    expect(content).toMatchObject({ model: 'a-model', headline: expect.any(String) })
    expect(content?.claims.length).toBeGreaterThanOrEqual(3)
  })
})

test('reads a talk in parts after a server has cut it, even if its context is not set', async () => {
  const provider = await openProvider({ kind: '4,096 tokens of context, cut silently' })
  const { written, spendings } = await provider.run(['tldr'], { isCompatible: true, source: HOUR })
  await provider.api.close()
  expect(written).toMatchObject([{ mode: 'tldr', quality: { strategy: 'map_reduce' } }])
  // What came of the cut prompts was discarded.
  expect(spendings.some(({ purpose }) => purpose === 'unusable')).toBe(true)
})

test("says that a reader's long wish leaves no space in a small context", async () => {
  const provider = await openProvider({ kind: '4,096 tokens of context' })
  const source = { ...HOUR, instructions: '数'.repeat(2_000) }
  const { unwritten } = await provider.run(['tldr'], { isCompatible: true, contextTokens: 4_096, source })
  expect(unwritten).toMatchObject([{ mode: 'tldr', reason: 'too-long', error: { retryable: false } }])
  expect(provider.api.calls).toEqual([])
  await provider.api.close()
})
