import { once } from 'node:events'
import { ServiceError, SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { createAnthropicModel, createCostComputer } from '@subtext/llm'
import { listPoints } from '@subtext/render'
import { modesOf, openProvider, type TestProvider } from '../testing/provider.ts'
import { HOUR, newSource, SHORT } from '../testing/source.ts'
import { createModelSummarizer } from './model-summarizer.ts'

const ALL: SummaryMode[] = [...SUMMARY_MODES]

let provider: TestProvider
beforeEach(async () => {
  provider = await openProvider()
})
afterEach(() => provider.api.close())

const wire = { input: 'input_tokens', write: 'cache_creation_input_tokens', read: 'cache_read_input_tokens' } as const

/** Returns the cost of the input of all calls so far, as counted by the fake provider. */
const inputCost = (): number => {
  const price = createCostComputer()
  return provider.api.calls.reduce((sum, { usage }) => {
    if (!usage) return sum
    const [inputTokens, cacheWriteTokens, cachedInputTokens] = [usage[wire.input], usage[wire.write], usage[wire.read]]
    return sum + price('claude-haiku-5-5', { inputTokens, cacheWriteTokens, cachedInputTokens, outputTokens: 0 })
  }, 0)
}

describe('a transcript that is long enough for the cache', () => {
  test('writes the cache once and reads it four times for five modes, with the same bytes before the instruction', async () => {
    // Calls sent before this late answer begins could not read its prefix.
    provider.api.failNext({ kind: 'slow', delayMs: 300 })
    const { written, unwritten, spendings } = await provider.run(ALL)

    expect([unwritten, spendings]).toEqual([[], []])
    expect(modesOf(written)).toEqual([...ALL].sort())
    const { calls } = provider.api
    expect(calls.map((call) => call.cacheUse)).toEqual(['write', 'read', 'read', 'read', 'read'])
    const before = calls.map(({ body }) => {
      const { messages, max_tokens, ...rest } = body
      return JSON.stringify([rest, messages[0]?.content[0]])
    })
    expect(new Set(before).size).toBe(1)
    expect(calls[0]?.instruction).toContain('"tldr"')

    for (const { content, usage, quality } of written) {
      const points = listPoints(content)
      expect(points.length).toBeGreaterThan(0)
      for (const { text, segmentIds } of points) {
        expect(text).toContain(segmentIds.map((id) => HOUR.cues[id - 1]?.text).join(' '))
      }
      expect(usage.costUsd).toBeGreaterThan(0)
      expect(quality).toMatchObject({
        strategy: 'per_mode',
        chunks: 1,
        unsupportedClaims: 0,
        injectionSuspected: false,
      })
      expect(quality?.supportedCitations).toBe(quality?.citations)
    }
    expect(written.find(({ mode }) => mode === 'detailed')?.quality?.coverage).toBe(1)
  })

  test('pays at most 1.5 times as much for the input of five modes as for one', async () => {
    await provider.run(['detailed'])
    const one = inputCost()
    await provider.api.close()
    provider = await openProvider()
    await provider.run(ALL)
    expect(inputCost() / one).toBeLessThanOrEqual(1.5)
  })

  test('reports usages that add up to what the provider counted', async () => {
    const { written } = await provider.run(ALL)
    const sum = (pick: (usage: (typeof written)[0]['usage']) => number) =>
      written.reduce((total, { usage }) => total + pick(usage), 0)
    const counted = (name: 'input_tokens' | 'output_tokens' | (typeof wire)[keyof typeof wire]) =>
      provider.api.calls.reduce((total, { usage }) => total + (usage?.[name] ?? 0), 0)
    expect(sum(({ inputTokens }) => inputTokens)).toBe(counted('input_tokens'))
    expect(sum(({ cacheWriteTokens }) => cacheWriteTokens)).toBe(counted(wire.write))
    expect(sum(({ cachedInputTokens }) => cachedInputTokens)).toBe(counted(wire.read))
    expect(sum(({ outputTokens }) => outputTokens)).toBe(counted('output_tokens'))
  })

  test("keeps the reader's focus and the language out of the cached prefix", async () => {
    await provider.run(['tldr'])
    await provider.run(['tldr'], { source: { ...HOUR, instructions: 'Mind the prices.', outputLanguage: 'en-GB' } })
    expect(provider.api.calls.map((call) => call.cacheUse)).toEqual(['write', 'read'])
    expect(provider.api.calls[1]?.instruction).toContain('Language: British English (en-GB).')
    expect(provider.api.calls[1]?.instruction).toContain('<focus>Mind the prices.</focus>')
  })
})

describe('a short transcript', () => {
  test('takes one call for all modes and splits its usage', async () => {
    const { written, unwritten } = await provider.run(ALL, { source: SHORT })
    expect(unwritten).toEqual([])
    expect(modesOf(written)).toEqual([...ALL].sort())
    const [call, ...others] = provider.api.calls
    expect(others).toEqual([])
    expect(call?.cacheUse).toBe('none')
    const shared = written.reduce((sum, { usage }) => sum + usage.inputTokens, 0)
    expect(shared).toBe(call?.usage?.input_tokens)
    expect(written.reduce((sum, { usage }) => sum + usage.outputTokens, 0)).toBe(call?.usage?.output_tokens)
    for (const { quality, usage } of written) {
      expect(quality?.strategy).toBe('combined')
      expect(usage.costUsd).toBeGreaterThan(0)
    }
  })

  test('is asked for again, mode by mode, where the one answer cannot be used', async () => {
    const tldr = { sentences: [{ text: 'The harbour measures the tide.', segment_ids: [1] }] }
    provider.api.failNext({ kind: 'answer', text: JSON.stringify({ tldr: [tldr], detailed: [{}] }) })
    const { written, unwritten } = await provider.run(['tldr', 'detailed', 'timestamped'], { source: SHORT })
    expect(unwritten).toEqual([])
    expect(written.map(({ mode, quality }) => [mode, quality?.strategy])).toEqual([
      ['tldr', 'combined'],
      ...(['detailed', 'timestamped'] as const).map((mode) => [mode, 'per_mode']).sort(),
    ])
    expect(provider.api.calls).toHaveLength(3)
  })

  test('is summarized mode by mode if the model refuses to write all modes together', async () => {
    provider.api.failNext({ kind: 'refusal' }, { instructionIncludes: '"detailed"', times: 9 })
    const { written, unwritten, spendings } = await provider.run(['tldr', 'detailed'], { source: SHORT })
    expect(modesOf(written)).toEqual(['tldr'])
    expect(modesOf(unwritten)).toEqual(['detailed'])
    expect(spendings.map(({ purpose, mode }) => [purpose, mode])).toEqual([
      ['refused', null],
      ['refused', 'detailed'],
    ])
  })
})

describe('faults', () => {
  test('fails only the refused mode, without another attempt, and reports the cost', async () => {
    provider.api.failNext({ kind: 'refusal' }, { instructionIncludes: '"detailed"', times: 9 })
    const { written, unwritten, spendings } = await provider.run(ALL)
    expect(modesOf(written)).toEqual(ALL.filter((mode) => mode !== 'detailed').sort())
    expect(unwritten).toEqual([{ mode: 'detailed', error: expect.any(ServiceError), reason: 'declined' }])
    expect(unwritten[0]?.error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
    expect(provider.api.calls).toHaveLength(5)
    expect(spendings).toMatchObject([{ purpose: 'refused', mode: 'detailed', model: 'claude-haiku-5-5' }])
    expect(spendings[0]?.usage.cachedInputTokens).toBeGreaterThan(0)
  })

  test('lets the next mode write the cache if the first one fails before it begins', async () => {
    provider.api.failNext({ status: 400 })
    const { written, unwritten } = await provider.run(['tldr', 'detailed', 'timestamped'])
    expect(modesOf(unwritten)).toEqual(['tldr'])
    expect(modesOf(written)).toEqual(['detailed', 'timestamped'])
    expect(provider.api.calls.slice(1).map((call) => call.cacheUse)).toEqual(['write', 'read'])
  })

  test('waits only for a limited time for a first mode that does not begin', async () => {
    const calls: string[] = []
    const never = new AbortController()
    const work = createModelSummarizer(
      {
        model: 'm',
        complete: async ({ instruction, onSend }) => {
          onSend?.()
          calls.push(instruction)
          if (calls.length === 3) never.abort()
          if (!never.signal.aborted) await once(never.signal, 'abort')
          throw new ServiceError('SUMMARY_UNAVAILABLE')
        },
      },
      { beginWithinMs: 50 },
    ).summarize(HOUR, ['tldr', 'detailed', 'timestamped'], {
      signal: new AbortController().signal,
      onSummary: async () => {},
      onSpending: async () => {},
    })
    expect(modesOf(await work)).toEqual(['detailed', 'timestamped', 'tldr'])
  })

  const invented = { sentences: [{ text: 'Zebras vote by mail.', segment_ids: [1] }] }
  test.each([
    ['malformed', 'Sure! {', 'not the one JSON object', 'json'],
    ['of another structure', '{"tldr":[{}]}', 'structure of its mode', 'structure'],
    ['of another mode', '{"timestamped":[{"moments":[]}]}', 'structure of its mode', 'structure'],
    ['invented', JSON.stringify({ tldr: [invented] }), 'do not say what it claimed', 'unsupported'],
  ])('asks once to repair an answer that is %s, and counts it and its cost', async (_, text, reason, counted) => {
    provider.api.failNext({ kind: 'answer', text })
    const recovered = await provider.run(['tldr'])
    expect(recovered.unwritten).toEqual([])
    const [first, second] = provider.api.calls
    expect(provider.api.calls).toHaveLength(2)
    expect(second?.cacheUse).toBe('read')
    expect(second?.instruction).toBe(`${first?.instruction}\n\n${second?.instruction.split('\n\n').at(-1)}`)
    expect(second?.instruction).toContain(reason)
    expect(second?.instruction).not.toContain('Zebras')
    expect(recovered.spendings).toMatchObject([{ purpose: 'unusable', mode: 'tldr' }])
    expect(recovered.unusable).toEqual([counted])

    provider.api.failNext({ kind: 'answer', text }, { instructionIncludes: '"tldr"', times: 2 })
    const lost = await provider.run(['tldr', 'detailed'])
    expect(modesOf(lost.written)).toEqual(['detailed'])
    expect(lost.unwritten).toMatchObject([
      { mode: 'tldr', reason: 'unusable', error: { code: 'SUMMARY_UNAVAILABLE', retryable: true } },
    ])
    expect(lost.spendings).toHaveLength(2)
  })

  test('reads an answer in a code fence', async () => {
    const tldr = { sentences: [{ text: 'The harbour measures the tide.', segment_ids: [1] }] }
    provider.api.failNext({ kind: 'answer', text: `\`\`\`json\n${JSON.stringify({ tldr: [tldr] })}\n\`\`\`` })
    const { written } = await provider.run(['tldr'])
    expect(written[0]?.content.overview).toEqual([{ text: 'The harbour measures the tide.', segmentIds: [1] }])
  })

  test('uses the time as the heading of a section whose own heading is unsupported', async () => {
    const at = (...segment_ids: number[]) => ({ text: 'The harbour measures the tide.', segment_ids })
    const sections = [
      { heading: 'Measures of the tide', points: [at(1)] },
      { heading: 'BANANA', points: [{ ...at(71, 72), text: 'The harbour measures old soundings.' }] },
    ]
    provider.api.failNext({ kind: 'answer', text: JSON.stringify({ detailed: [{ overview: [], sections }] }) })
    const { written } = await provider.run(['detailed'])
    expect(written[0]?.content.sections.map(({ heading }) => heading)).toEqual([
      'Measures of the tide',
      '0:04:40 – 0:04:47',
    ])
  })

  test('doubles the output limit after a cut answer', async () => {
    provider.api.failNext({ kind: 'cut' })
    const { spendings } = await provider.run(['detailed'])
    expect(provider.api.calls.map(({ body }) => body.max_tokens)).toEqual([16_000, 32_000])
    expect(spendings).toMatchObject([{ purpose: 'unusable', mode: 'detailed' }])
  })

  test('tries again after an error within the stream and reports the cost of the failed attempt', async () => {
    provider.api.failNext({ kind: 'stream-error' })
    const { written, spendings } = await provider.run(['tldr'])
    expect(modesOf(written)).toEqual(['tldr'])
    expect(spendings).toMatchObject([{ purpose: 'failed', mode: 'tldr' }])
    expect(spendings[0]?.usage.cacheWriteTokens).toBeGreaterThan(0)
  })

  test('stops every call and rejects with the reason when it is aborted', async () => {
    provider.api.failNext({ kind: 'stall' }, { times: 9 })
    const controller = new AbortController()
    const reason = new Error('the job was cancelled')
    const expectation = expect(provider.run(ALL, { signal: controller.signal })).rejects.toBe(reason)
    await waitUntil('every call arrives', () => provider.api.calls.length === ALL.length)
    controller.abort(reason)
    await expectation
    await waitUntil('every call is aborted', () => provider.api.calls.every((call) => call.aborted))
    expect(provider.api.calls).toHaveLength(ALL.length)
  })

  test('keeps an answer that arrived before the work was aborted', async () => {
    const controller = new AbortController()
    const kept: SummaryMode[] = []
    const tldr = { sentences: [{ text: 'The harbour measures the tide.', segment_ids: [1] }] }
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0 }
    const work = createModelSummarizer({
      model: 'm',
      complete: async () => {
        controller.abort(new Error('the job was lost'))
        return { text: JSON.stringify({ tldr: [tldr] }), stop: 'complete', usage }
      },
    }).summarize(HOUR, ['tldr', 'detailed'], {
      signal: controller.signal,
      onSummary: async ({ mode }) => void kept.push(mode),
      onSpending: async () => {},
    })
    await expect(work).rejects.toThrow('the job was lost')
    expect(kept).toEqual(['tldr'])
  })

  test('stops the other modes and throws the error when a summary cannot be stored', async () => {
    provider.api.failNext({ kind: 'stall' }, { instructionIncludes: '"detailed"' })
    const model = createAnthropicModel({ apiKey: 'k', baseUrl: provider.api.baseUrl, model: 'claude-haiku-5-5' })
    const failure = new ServiceError('INTERNAL_ERROR')
    const work = createModelSummarizer(model).summarize(HOUR, ['detailed', 'tldr'], {
      signal: new AbortController().signal,
      onSummary: () => Promise.reject(failure),
      onSpending: async () => {},
    })
    await expect(work).rejects.toBe(failure)
  })
})

test('rejects an answer in another script than that of the requested language', async () => {
  const citations = [{ segment_id: 1, quote: 'the harbour measures the tide' }]
  const russian = { sentences: [{ text: 'Гавань измеряет прилив.', citations }] }
  const inRussian = { kind: 'answer', text: JSON.stringify({ tldr: [russian] }) } as const
  provider.api.failNext(inRussian)
  const source = newSource(HOUR.cues, { outputLanguage: 'ru' })
  const { written } = await provider.run(['tldr'], { source })
  expect(written[0]?.content.overview).toEqual([{ text: 'Гавань измеряет прилив.', segmentIds: [1] }])
  // The fake provider itself answers in English.
  const { unwritten } = await provider.run(['tldr'], { source })
  expect(modesOf(unwritten)).toEqual(['tldr'])
})
