import { once } from 'node:events'
import { ServiceError, SUMMARY_MODES, type SummaryMode } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { modesOf, openKnownProvider, type TestProvider } from '../testing/provider.ts'
import { LARGE_SERVERS } from '../testing/servers.ts'
import { HOUR } from '../testing/source.ts'
import { createModelSummarizer } from './model-summarizer.ts'

const ALL: SummaryMode[] = [...SUMMARY_MODES]

describe.each(LARGE_SERVERS)('faults of $name', (server) => {
  const { isCaching, takesSchemas } = server
  const UNCACHED = 'none'

  let provider: TestProvider
  beforeEach(async () => {
    provider = await openKnownProvider(server)
  })
  afterEach(() => provider.api.close())

  test('fails only the refused mode, without another attempt, and reports the cost', async () => {
    provider.api.failNext({ kind: 'refusal' }, { instructionIncludes: '"detailed"', times: 9 })
    const { written, unwritten, spendings } = await provider.run(ALL)
    expect(modesOf(written)).toEqual(ALL.filter((mode) => mode !== 'detailed').sort())
    expect(unwritten).toEqual([{ mode: 'detailed', error: expect.any(ServiceError), reason: 'declined' }])
    expect(unwritten[0]?.error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
    expect(unwritten[0]?.error.message).toBe(
      'The language model declined to write the summary. Trying again does not help.',
    )
    expect(provider.api.calls).toHaveLength(5)
    expect(spendings).toMatchObject([{ purpose: 'refused', mode: 'detailed', model: 'claude-haiku-5-5' }])
    if (isCaching) expect(spendings[0]?.usage.cachedInputTokens).toBeGreaterThan(0)
  })

  test('lets the next mode write the cache if the first one fails before it begins', async () => {
    provider.api.failNext({ status: 400 })
    const { written, unwritten } = await provider.run(['tldr', 'detailed', 'timestamped'])
    expect(modesOf(unwritten)).toEqual(['tldr'])
    expect(modesOf(written)).toEqual(['detailed', 'timestamped'])
    expect(provider.api.calls.slice(1).map((call) => call.cacheUse)).toEqual(
      isCaching ? ['write', 'read'] : [UNCACHED, UNCACHED],
    )
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
    expect(second?.cacheUse).toBe('none')
    // Where the schema is part of the prompt, it comes last.
    const [asked = '', schema = ''] = takesSchemas
      ? [first?.instruction]
      : (first?.instruction.split(/(?=\n\nAnswer with one JSON)/) ?? [])
    const paragraphs = second?.instruction.slice(0, second.instruction.length - schema.length).split('\n\n')
    expect(second?.instruction).toBe(`${asked}\n\n${paragraphs?.at(-1)}${schema}`)
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
    // LiteLLM counts only at the end of a stream, which did not come.
    const counted = spendings[0]?.usage.inputTokens ?? -1
    expect(counted > 0).toBe(server.kind !== 'LiteLLM')
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
    const failure = new ServiceError('INTERNAL_ERROR')
    const work = createModelSummarizer(provider.model()).summarize(HOUR, ['detailed', 'tldr'], {
      signal: new AbortController().signal,
      onSummary: () => Promise.reject(failure),
      onSpending: async () => {},
    })
    await expect(work).rejects.toBe(failure)
  })
})
