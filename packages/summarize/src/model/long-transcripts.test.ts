import { listPoints, SUMMARY_MODES } from '@subtext/contracts'
import { joinPassages } from '../prompts/passages.ts'
import { buildTranscriptLines } from '../prompts/transcript-document.ts'
import { createNotesStore, modesOf, openKnownProvider, type TestProvider } from '../testing/provider.ts'
import { LARGE_SERVERS } from '../testing/servers.ts'
import { newSource, newTalk } from '../testing/source.ts'

/** Several times as long as a prompt may be. */
const LONG = newSource(newTalk(1_800))
const MAX = 13_000

describe.each(LARGE_SERVERS)('long transcripts read by $name', (server) => {
  let provider: TestProvider
  beforeEach(async () => {
    provider = await openKnownProvider(server)
  })
  afterEach(() => provider.api.close())

  const notesCalls = () => provider.api.calls.filter(({ instruction }) => instruction.startsWith('This is part'))

  test('reads a long transcript in parts, each passage once, and summarizes it from the notes', async () => {
    const { written, unwritten, spendings } = await provider.run([...SUMMARY_MODES], {
      source: LONG,
      maxPromptTokens: MAX,
    })
    expect(unwritten).toEqual([])
    expect(modesOf(written)).toEqual([...SUMMARY_MODES].sort())

    const parts = notesCalls()
    expect(parts.length).toBeGreaterThan(2)
    const read = parts.flatMap(({ body }) =>
      [...JSON.stringify(body.messages).matchAll(/\\n\[(\d+)\] /g)].map(([, id]) => Number(id)),
    )
    const passages = joinPassages(await buildTranscriptLines(LONG, async () => {}))
    expect(read.sort((a, b) => a - b)).toEqual(passages.map(({ id }) => id))
    for (const { usage, cacheUse } of parts) {
      expect(usage?.input_tokens).toBeLessThan(MAX)
      expect(cacheUse).toBe('none')
    }
    const summaries = provider.api.calls.slice(parts.length)
    expect(summaries).toHaveLength(SUMMARY_MODES.length)
    expect(spendings.map(({ purpose, mode }) => [purpose, mode])).toEqual(parts.map(() => ['notes', null]))

    for (const { content, quality } of written) {
      expect(quality).toMatchObject({ strategy: 'map_reduce', chunks: parts.length, unsupportedClaims: 0 })
      // The citations are the segments that the notes come from.
      for (const { text, segmentIds } of listPoints(content)) {
        expect(segmentIds.length).toBeGreaterThan(0)
        expect(text).toContain(LONG.cues[(segmentIds[0] ?? 0) - 1]?.text)
      }
    }
    const moments = written.find(({ mode }) => mode === 'timestamped')?.content.sections[0]?.points ?? []
    const firsts = moments.map(({ segmentIds }) => segmentIds[0] ?? 0)
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
    expect(Math.max(...firsts)).toBeGreaterThan(LONG.cues.length * 0.8)
  })

  test('takes notes on notes that are still too long', async () => {
    const source = newSource(newTalk(5_000))
    const { written, unwritten } = await provider.run(['timestamped'], { source, maxPromptTokens: 10_000 })
    expect(unwritten).toEqual([])
    const rounds = new Set(notesCalls().map(({ instruction }) => instruction.match(/of (\d+)/)?.[1]))
    expect(rounds.size).toBeGreaterThan(1)
    for (const { usage } of provider.api.calls) expect(usage?.input_tokens).toBeLessThan(10_000)
    expect(written[0]?.quality).toMatchObject({ strategy: 'map_reduce', chunks: notesCalls().length })
  })

  test.each([
    ['a smaller context than expected', { contextTokens: 20_000 }, null],
    ['a context that fills up within an answer', {}, { kind: 'window-exceeded' }],
    ['answers that are cut repeatedly', {}, { kind: 'cut' }],
  ] as const)('falls back to parts after %s, and never returns a cut summary', async (_, options, fault) => {
    await provider.api.close()
    provider = await openKnownProvider(server, options)
    if (fault) provider.api.failNext(fault, { times: fault.kind === 'cut' ? 2 : 1 })
    const { written, unwritten } = await provider.run(['detailed'], { source: newSource(newTalk(2_400)) })
    expect(unwritten).toEqual([])
    expect(written[0]?.quality?.strategy).toBe('map_reduce')
    expect(written[0]?.quality?.coverage).toBeGreaterThan(0.3)
  })

  test('fails if one part cannot be read, so that no gap goes unnoticed', async () => {
    provider.api.failNext({ kind: 'refusal' }, { instructionIncludes: 'This is part 2', times: 9 })
    const { written, unwritten, spendings } = await provider.run(['tldr', 'detailed'], {
      source: LONG,
      maxPromptTokens: MAX,
    })
    expect(written).toEqual([])
    expect(unwritten).toMatchObject([
      { mode: 'tldr', reason: 'declined', error: { code: 'SUMMARY_UNAVAILABLE', retryable: false } },
      { mode: 'detailed', reason: 'declined', error: { code: 'SUMMARY_UNAVAILABLE', retryable: false } },
    ])
    expect(spendings.map(({ purpose }) => purpose)).toContain('refused')
  })

  test('reads a part whose notes are cut in halves', async () => {
    provider.api.failNext({ kind: 'cut' }, { instructionIncludes: 'This is part 1', times: 2 })
    const { unwritten } = await provider.run(['tldr'], { source: LONG, maxPromptTokens: MAX })
    expect(unwritten).toEqual([])
    expect(notesCalls().filter(({ instruction }) => instruction.startsWith('This is part 1 '))).toHaveLength(4)
  })

  describe('saved notes', () => {
    const OVERLOADED = { status: 529, headers: { 'x-should-retry': 'false' } }
    const purposesOf = (spendings: { purpose: string }[]) => spendings.map(({ purpose }) => purpose)

    test('are used by the next attempt and by other modes at no cost', async () => {
      const options = { source: LONG, maxPromptTokens: MAX, notes: createNotesStore() }
      provider.api.failNext(OVERLOADED, { instructionIncludes: '"tldr"' })
      const failed = await provider.run(['tldr'], options)
      expect(modesOf(failed.unwritten)).toEqual(['tldr'])
      const parts = notesCalls().length
      expect(purposesOf(failed.spendings)).toEqual(Array(parts).fill('notes'))

      for (const mode of ['tldr', 'detailed'] as const) {
        const { written, spendings } = await provider.run([mode], options)
        expect(written).toMatchObject([{ mode, quality: { strategy: 'map_reduce', chunks: parts } }])
        expect(spendings).toEqual([])
      }
      expect(notesCalls()).toHaveLength(parts)
      // The same notes in the same order give the same bytes.
      const [first, ...others] = provider.api.calls.slice(parts).map(({ body }) => body.messages[0]?.content[0])
      for (const document of others) expect(document).toEqual(first)
    })

    test('are saved for each part, so that only failed parts are read again', async () => {
      const options = { source: LONG, maxPromptTokens: MAX, notes: createNotesStore() }
      provider.api.failNext(OVERLOADED, { instructionIncludes: 'This is part 2 ' })
      expect((await provider.run(['tldr'], options)).written).toEqual([])
      const before = notesCalls().map(({ instruction }) => instruction)
      expect((await provider.run(['tldr'], options)).unwritten).toEqual([])
      const again = notesCalls().slice(before.length)
      const isFailed = (instruction: string) => instruction.startsWith('This is part 2 ')
      const instructions = again.map(({ instruction }) => instruction)
      expect(instructions.filter(isFailed)).toHaveLength(1)
      // The others had not begun before.
      for (const instruction of instructions) if (!isFailed(instruction)) expect(before).not.toContain(instruction)
    })

    test('on halves of a part are found for the whole part', async () => {
      const options = { source: LONG, maxPromptTokens: MAX, notes: createNotesStore() }
      provider.api.failNext({ kind: 'cut' }, { instructionIncludes: 'This is part 1 ', times: 2 })
      await provider.run(['tldr'], options)
      const before = notesCalls().length
      expect((await provider.run(['detailed'], options)).spendings).toEqual([])
      expect(notesCalls()).toHaveLength(before)
    })

    test('on notes are saved as well', async () => {
      const options = { source: newSource(newTalk(5_000)), maxPromptTokens: 10_000, notes: createNotesStore() }
      await provider.run(['tldr'], options)
      const before = notesCalls().length
      expect((await provider.run(['detailed'], options)).spendings).toEqual([])
      expect(notesCalls()).toHaveLength(before)
    })

    const shortened = { ...LONG, cues: LONG.cues.slice(0, -1) }
    const edited = { ...LONG, video: { ...LONG.video, title: 'Another title', description: 'and a description' } }
    test.each([
      ['other texts of the publisher', { source: edited }, 'none'],
      ['other instructions', { source: { ...LONG, instructions: 'ships only' } }, 'all'],
      ['another language', { source: { ...LONG, outputLanguage: 'nl' } }, 'all'],
      ['an explicit output language', { source: { ...LONG, outputLanguage: 'en' } }, 'all'],
      // Lines around a part affect its notes.
      ['a shortened transcript', { source: shortened }, 'all'],
      ['parts of another size', { maxPromptTokens: MAX * 0.8 }, 'all'],
      ['another model', { model: 'claude-sonnet-5-5' }, 'all'],
    ])('are used only for a request with the same content: %s', async (_, overrides, which) => {
      const options = { source: LONG, maxPromptTokens: MAX, notes: createNotesStore() }
      await provider.run(['tldr'], options)
      const before = notesCalls().length
      const { written } = await provider.run(['tldr'], { ...options, ...overrides })
      const repeated = notesCalls().length - before
      expect(repeated).toBe(which === 'all' ? written[0]?.quality?.chunks : 0)
    })
  })
})
