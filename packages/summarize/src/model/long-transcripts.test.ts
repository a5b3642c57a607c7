import { SUMMARY_MODES } from '@subtext/contracts'
import { listPoints } from '@subtext/render'
import { createNotes, modesOf, newSource, newTalk, openProvider } from '../testing/source.ts'

/** Eight hours. */
const LONG = newSource(newTalk(7_200))
const MAX = 40_000

let provider: Awaited<ReturnType<typeof openProvider>>
beforeEach(async () => {
  provider = await openProvider()
})
afterEach(() => provider.api.close())

const notesCalls = () => provider.api.calls.filter(({ instruction }) => instruction.startsWith('This is part'))

test('is read in parts, each line once, and summarized from the notes', async () => {
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
  expect(read.sort((a, b) => a - b)).toEqual(LONG.cues.map((_, index) => index + 1))
  for (const { usage, cacheUse } of parts) {
    expect(usage?.input_tokens).toBeLessThan(MAX)
    expect(cacheUse).toBe('none')
  }
  const summaries = provider.api.calls.slice(parts.length)
  expect(summaries).toHaveLength(SUMMARY_MODES.length)
  expect(spendings.map(({ purpose, mode }) => [purpose, mode])).toEqual(parts.map(() => ['notes', null]))

  for (const { content, quality } of written) {
    expect(quality).toMatchObject({ strategy: 'map_reduce', chunks: parts.length, unsupportedClaims: 0 })
    // Times are those of the segments that the notes rest on.
    for (const { text, segmentIds } of listPoints(content)) {
      expect(segmentIds.length).toBeGreaterThan(0)
      expect(text).toContain(LONG.cues[(segmentIds[0] ?? 0) - 1]?.text)
    }
  }
  const moments = written.find(({ mode }) => mode === 'timestamped')?.content.sections[0]?.points ?? []
  const firsts = moments.map(({ segmentIds }) => segmentIds[0] ?? 0)
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
  expect(Math.max(...firsts)).toBeGreaterThan(LONG.cues.length * 0.8)
}, 60_000)

test('notes that are still too long are condensed once more', async () => {
  const source = newSource(newTalk(20_000))
  const { written, unwritten } = await provider.run(['timestamped'], { source, maxPromptTokens: 10_000 })
  expect(unwritten).toEqual([])
  const rounds = new Set(notesCalls().map(({ instruction }) => instruction.match(/of (\d+)/)?.[1]))
  expect(rounds.size).toBeGreaterThan(1)
  for (const { usage } of provider.api.calls) expect(usage?.input_tokens).toBeLessThan(10_000)
  expect(written[0]?.quality).toMatchObject({ strategy: 'map_reduce', chunks: notesCalls().length })
}, 60_000)

test.each([
  ['a window that is smaller than thought', { contextTokens: 20_000 }, null],
  ['a full window in the midst of an answer', {}, { kind: 'window-exceeded' }],
  ['answers that are cut again and again', {}, { kind: 'cut' }],
] as const)('%s: falls back to parts, never a cut summary', async (_, options, fault) => {
  await provider.api.close()
  provider = await openProvider(options)
  if (fault) provider.api.failNext(fault, { times: fault.kind === 'cut' ? 2 : 1 })
  const { written, unwritten } = await provider.run(['detailed'], { source: newSource(newTalk(2_400)) })
  expect(unwritten).toEqual([])
  expect(written[0]?.quality?.strategy).toBe('map_reduce')
  expect(written[0]?.quality?.coverage).toBeGreaterThan(0.3)
})

test('a part that cannot be had is all: nothing is left out unseen', async () => {
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

test('a part whose notes are cut is read in halves', async () => {
  provider.api.failNext({ kind: 'cut' }, { instructionIncludes: 'This is part 1', times: 2 })
  const { unwritten } = await provider.run(['tldr'], { source: LONG, maxPromptTokens: MAX })
  expect(unwritten).toEqual([])
  expect(notesCalls().filter(({ instruction }) => instruction.startsWith('This is part 1 '))).toHaveLength(4)
})

describe('notes that were kept', () => {
  const OVERLOADED = { status: 529, headers: { 'x-should-retry': 'false' } }
  const purposesOf = (spendings: { purpose: string }[]) => spendings.map(({ purpose }) => purpose)

  test('are taken by the next try and by other modes, and cost nothing there', async () => {
    const options = { source: LONG, maxPromptTokens: MAX, notes: createNotes() }
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
    // The same notes in the same order, to the byte.
    const [first, ...others] = provider.api.calls.slice(parts).map(({ body }) => body.messages[0]?.content[0])
    for (const document of others) expect(document).toEqual(first)
  })

  test('are kept part by part: only one that failed is read again', async () => {
    const options = { source: LONG, maxPromptTokens: MAX, notes: createNotes() }
    provider.api.failNext(OVERLOADED, { instructionIncludes: 'This is part 2 ' })
    expect((await provider.run(['tldr'], options)).written).toEqual([])
    const before = notesCalls().map(({ instruction }) => instruction)
    expect((await provider.run(['tldr'], options)).unwritten).toEqual([])
    const again = notesCalls().slice(before.length)
    expect(again[0]?.instruction).toMatch(/^This is part 2 /)
    // Beside those that had not begun yet.
    for (const { instruction } of again.slice(1)) expect(before).not.toContain(instruction)
  })

  test('of halves stand for the part', async () => {
    const options = { source: LONG, maxPromptTokens: MAX, notes: createNotes() }
    provider.api.failNext({ kind: 'cut' }, { instructionIncludes: 'This is part 1 ', times: 2 })
    await provider.run(['tldr'], options)
    const before = notesCalls().length
    expect((await provider.run(['detailed'], options)).spendings).toEqual([])
    expect(notesCalls()).toHaveLength(before)
  })

  test('of notes are kept as well', async () => {
    const options = { source: newSource(newTalk(20_000)), maxPromptTokens: 10_000, notes: createNotes() }
    await provider.run(['tldr'], options)
    const before = notesCalls().length
    expect((await provider.run(['detailed'], options)).spendings).toEqual([])
    expect(notesCalls()).toHaveLength(before)
  }, 60_000)

  const cut = { ...LONG, cues: LONG.cues.slice(0, -1) }
  const edited = { ...LONG, video: { ...LONG.video, title: 'Another title', description: 'and a description' } }
  test.each([
    ['other words of the publisher', { source: edited }, 'none'],
    ['other instructions', { source: { ...LONG, instructions: 'ships only' } }, 'all'],
    ['another language', { source: { ...LONG, outputLanguage: 'nl' } }, 'all'],
    ['a language that was not insisted upon', { source: { ...LONG, outputLanguage: 'en' } }, 'all'],
    // Whatever is said beside the lines of a part counts for its notes.
    ['a cut transcript', { source: cut }, 'all'],
    ['parts of another size', { maxPromptTokens: MAX * 0.8 }, 'all'],
    ['another model', { model: 'claude-sonnet-5-5' }, 'all'],
  ])('with %s', async (_, terms, which) => {
    const options = { source: LONG, maxPromptTokens: MAX, notes: createNotes() }
    await provider.run(['tldr'], options)
    const before = notesCalls().length
    const { written } = await provider.run(['tldr'], { ...options, ...terms })
    const anew = notesCalls().length - before
    expect(anew).toBe(which === 'all' ? written[0]?.quality?.chunks : 0)
  })
})
