import { listPoints, SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { createCostComputer } from '@subtext/llm'
import { modesOf, openKnownProvider, type TestProvider } from '../testing/provider.ts'
import { LARGE_SERVERS } from '../testing/servers.ts'
import { HOUR, newSource, SHORT } from '../testing/source.ts'

const ALL: SummaryMode[] = [...SUMMARY_MODES]

describe.each(LARGE_SERVERS)('summaries by $name', (server) => {
  const { isCaching } = server
  const UNCACHED = 'none'

  let provider: TestProvider
  beforeEach(async () => {
    provider = await openKnownProvider(server)
  })
  afterEach(() => provider.api.close())

  const wire = { input: 'input_tokens', write: 'cache_creation_input_tokens', read: 'cache_read_input_tokens' } as const

  /** Returns the cost of the input of all calls so far, as counted by the fake provider. */
  const inputCost = (): number => {
    const price = createCostComputer()
    return provider.api.calls.reduce((sum, { usage }) => {
      if (!usage) return sum
      const [inputTokens, cacheWriteTokens, cachedInputTokens] = [
        usage[wire.input],
        usage[wire.write],
        usage[wire.read],
      ]
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
      expect(calls.map((call) => call.cacheUse)).toEqual(
        isCaching ? ['write', 'read', 'read', 'read', 'read'] : Array(5).fill(UNCACHED),
      )
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
          for (const id of segmentIds) expect(text).toContain(`Entry ${id}:`)
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

    const testCaching = isCaching ? test : test.skip

    testCaching('pays at most 1.75 times as much for the input of five modes as for one', async () => {
      await provider.run(['detailed'])
      const one = inputCost()
      await provider.api.close()
      provider = await openKnownProvider(server)
      await provider.run(ALL)
      expect(inputCost() / one).toBeLessThanOrEqual(1.75)
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
      const source = { ...HOUR, instructions: 'Mind the prices.', outputLanguage: 'en-GB' }
      await provider.run(['tldr'], { hasOwnCache: true })
      await provider.run(['tldr'], { source, hasOwnCache: true })
      expect(provider.api.calls.map((call) => call.cacheUse)).toEqual(
        isCaching ? ['write', 'read'] : [UNCACHED, UNCACHED],
      )
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
      // Those that are asked for mode by mode are written at the same time.
      expect(Object.fromEntries(written.map(({ mode, quality }) => [mode, quality?.strategy]))).toEqual({
        tldr: 'combined',
        detailed: 'per_mode',
        timestamped: 'per_mode',
      })
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
})
