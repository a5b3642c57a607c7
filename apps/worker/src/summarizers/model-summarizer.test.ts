import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError, SUMMARY_MODES, type Summary, type SummaryMode } from '@subtext/contracts'
import { type MessagesApi, startMessagesApi } from '@subtext/standins'
import { createAnthropicModel } from '../adapters/anthropic.ts'
import type { SummarySource, UnwrittenSummary } from '../pipeline/ports.ts'
import { createModelSummarizer } from './model-summarizer.ts'

const CUES = Array.from({ length: 60 }, (_, index) => ({
  startMs: index * 3_000,
  durationMs: 3_000,
  text: `Sentence ${index + 1} of the talk.`,
}))
const SOURCE: SummarySource = {
  video: {
    video_id: 'abcdefghijk',
    url: 'https://example.com/watch?v=abcdefghijk',
    title: 'A talk',
    channel: { id: 'c', name: 'Channel', url: '' },
    description: '',
    published_at: null,
    duration_seconds: 180,
    thumbnail_url: '',
    language: 'en',
    is_live_archive: false,
    chapters: [],
  },
  track: { key: 'en', language: 'en', kind: 'manual', name: 'English', isDefault: true },
  cues: CUES,
  instructions: null,
}
const ALL = [...SUMMARY_MODES]

let api: MessagesApi
beforeEach(async () => {
  api = await startMessagesApi()
})
afterEach(() => api.close())

interface Outcome {
  written: Summary[]
  unwritten: UnwrittenSummary[]
}

async function run(modes: SummaryMode[], options: { signal?: AbortSignal; source?: SummarySource } = {}) {
  const model = createAnthropicModel({
    apiKey: 'k',
    baseUrl: api.baseUrl,
    model: 'claude-haiku-5-5',
    timeoutMs: 20_000,
  })
  const written: Summary[] = []
  const unwritten = await createModelSummarizer(model).summarize(options.source ?? SOURCE, modes, {
    signal: options.signal ?? new AbortController().signal,
    onSummary: async (summary) => {
      written.push(summary)
    },
  })
  return { written, unwritten } satisfies Outcome
}

const modesOf = (entries: { mode: SummaryMode }[]) => entries.map(({ mode }) => mode).sort()

test('five modes: one cache write, four reads, the same prefix', async () => {
  // Calls sent before this late answer has begun could not read its prefix.
  api.failNext({ kind: 'slow', delayMs: 300 })
  const { written, unwritten } = await run(ALL)

  expect(unwritten).toEqual([])
  expect(modesOf(written)).toEqual([...ALL].sort())
  expect(api.calls.map((call) => call.cacheUse)).toEqual(['write', 'read', 'read', 'read', 'read'])
  expect(new Set(api.calls.map((call) => call.prefixHash)).size).toBe(1)
  const prefixes = api.calls.map(({ body }) => JSON.stringify([body.system, body.messages[0]?.content[0]]))
  expect(new Set(prefixes).size).toBe(1)
  expect(api.calls[0]?.instruction).toContain('"tldr"')

  for (const { content, usage, model } of written) {
    const points = [...content.overview, ...content.sections.flatMap((section) => section.points)]
    expect(points.length).toBeGreaterThan(0)
    for (const { text, segmentIds } of points) {
      expect(text).toBe(segmentIds.map((id) => CUES[id - 1]?.text).join(' '))
    }
    expect(model).toBe('claude-haiku-5-5')
    expect(usage.costUsd).toBeGreaterThan(0)
  }
  const shares = written.map(({ usage }) => [usage.cacheWriteTokens > 0, usage.cachedInputTokens > 0])
  expect(shares.filter(([wrote]) => wrote)).toHaveLength(1)
  expect(shares.filter(([, read]) => read)).toHaveLength(4)
})

test("the reader's wish is no part of the prefix", async () => {
  await run(['tldr'])
  await run(['tldr'], { source: { ...SOURCE, instructions: 'Mind the prices.' } })
  expect(api.calls.map((call) => call.cacheUse)).toEqual(['write', 'read'])
  expect(api.calls[1]?.instruction).toContain('<focus>Mind the prices.</focus>')
})

test('a refusal costs its own mode only and is not tried again', async () => {
  api.failNext({ kind: 'refusal' }, { instructionIncludes: '"detailed"', times: 9 })
  const { written, unwritten } = await run(ALL)
  expect(modesOf(written)).toEqual(ALL.filter((mode) => mode !== 'detailed').sort())
  expect(unwritten).toEqual([{ mode: 'detailed', error: expect.any(ServiceError) }])
  expect(unwritten[0]?.error).toMatchObject({ code: 'SUMMARY_UNAVAILABLE', retryable: false })
  expect(api.calls).toHaveLength(5)
})

test('a first mode that fails before it begins leaves writing the cache to the next', async () => {
  api.failNext({ status: 400 })
  const { written, unwritten } = await run(['tldr', 'detailed', 'timestamped'])
  expect(modesOf(unwritten)).toEqual(['tldr'])
  expect(modesOf(written)).toEqual(['detailed', 'timestamped'])
  expect(api.calls.slice(1).map((call) => call.cacheUse)).toEqual(['write', 'read'])
})

test.each([
  ['malformed', { kind: 'answer', text: 'Sure! {' }, true],
  ['of another shape', { kind: 'answer', text: '{"overview":[],"sections":[]}' }, true],
  ['cut', { kind: 'cut' }, false],
] as const)('an answer that is %s is tried once more', async (_, fault, retryable) => {
  api.failNext(fault)
  const recovered = await run(['tldr'])
  expect(recovered.unwritten).toEqual([])
  expect(api.calls).toHaveLength(2)
  // Both tries are paid for.
  const [summary] = recovered.written
  expect(summary?.usage.cacheWriteTokens).toBeGreaterThan(0)
  expect(summary?.usage.cachedInputTokens).toBe(summary?.usage.cacheWriteTokens)

  api.failNext(fault, { instructionIncludes: '"tldr"', times: 2 })
  const lost = await run(['tldr', 'detailed'])
  expect(modesOf(lost.written)).toEqual(['detailed'])
  expect(lost.unwritten).toMatchObject([{ mode: 'tldr', error: { code: 'SUMMARY_UNAVAILABLE', retryable } }])
})

test('the second try after a cut answer has more room', async () => {
  api.failNext({ kind: 'cut' })
  await run(['detailed'])
  expect(api.calls.map(({ body }) => body.max_tokens)).toEqual([16_000, 32_000])
})

test.each([
  ['a prompt that is too long', { status: 400 }],
  ['a full context window', { kind: 'window-exceeded' }],
] as const)('%s leaves the modes unwritten', async (_, fault) => {
  api.failNext(fault, { times: 9 })
  const { written, unwritten } = await run(['tldr', 'detailed'])
  expect(written).toEqual([])
  expect(unwritten).toMatchObject([
    { mode: 'tldr', error: { retryable: false } },
    { mode: 'detailed', error: { retryable: false } },
  ])
})

test('hostile output and invented ids do not get through', async () => {
  const text = JSON.stringify({
    overview: [
      { text: '<img src=x onerror=alert(1)> [click](https://evil.example/?k=1)\u202E', segment_ids: [61, 2, -1, 2] },
    ],
    sections: [{ heading: 'Not asked for', points: [{ text: 'x', segment_ids: [1] }] }],
  })
  api.failNext({ kind: 'answer', text })
  const { written } = await run(['tldr'])
  expect(written[0]?.content).toEqual({
    overview: [{ text: '‹img src=x onerror=alert(1)› click', segmentIds: [2] }],
    sections: [],
  })
})

test('aborting stops every call and rejects with the reason', async () => {
  api.failNext({ kind: 'stall' }, { times: 9 })
  const controller = new AbortController()
  const reason = new Error('the job was cancelled')
  const work = run(ALL, { signal: controller.signal })
  const expectation = expect(work).rejects.toBe(reason)
  while (api.calls.length < ALL.length) await sleep(10)
  controller.abort(reason)
  await expectation
  while (api.calls.some((call) => !call.aborted)) await sleep(10)
  expect(api.calls).toHaveLength(ALL.length)
})

test('an answer that had come when the work was ended is kept all the same', async () => {
  const controller = new AbortController()
  const kept: SummaryMode[] = []
  const answer = { text: JSON.stringify({ overview: [{ text: 'x', segment_ids: [1] }], sections: [] }) }
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0 }
  const work = createModelSummarizer({
    model: 'm',
    complete: async () => {
      controller.abort(new Error('the job was lost'))
      return { ...answer, stop: 'complete', usage }
    },
  }).summarize(SOURCE, ['tldr', 'detailed'], {
    signal: controller.signal,
    onSummary: async ({ mode }) => void kept.push(mode),
  })
  await expect(work).rejects.toThrow('the job was lost')
  expect(kept).toEqual(['tldr'])
})

test('a summary that cannot be kept stops the others and is what is thrown', async () => {
  api.failNext({ kind: 'stall' }, { instructionIncludes: '"detailed"' })
  const model = createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model: 'claude-haiku-5-5' })
  const failure = new ServiceError('INTERNAL_ERROR')
  const work = createModelSummarizer(model).summarize(SOURCE, ['detailed', 'tldr'], {
    signal: new AbortController().signal,
    onSummary: () => Promise.reject(failure),
  })
  await expect(work).rejects.toBe(failure)
})
