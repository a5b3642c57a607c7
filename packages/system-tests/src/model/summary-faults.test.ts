import { DefaultResult, StructuredResult, SUMMARY_MODES } from '@subtext/contracts'
import { type Fault, INJECTED_LINES, longVideo, SAMPLE_TALKS, type SampleVideo } from '@subtext/fakes'
import { findViolations, useClient, watchUrl } from '@subtext/testbed'
import { createSummaryJobs, MODEL } from './summary-jobs.ts'
import { useModelSystem } from './use-model-system.ts'

const system = useModelSystem()
const { client, newVideo, finish } = createSummaryJobs(system, useClient(system, { scopes: ['admin'] }))
afterEach(() => system.messagesApi.forgetFaults())

const FAST = { 'retry-after-ms': '20' }

test.each<[string, Fault]>([
  ['429 with a time to wait', { status: 429, headers: FAST }],
  ['529', { status: 529, headers: FAST }],
  ['500', { status: 500, headers: FAST }],
  ['an error within the stream', { kind: 'stream-error' }],
  ['a connection that breaks', { kind: 'dropped' }],
  ['malformed JSON', { kind: 'answer', text: '{"detailed":[' }],
  ['a cut answer', { kind: 'cut' }],
])('a call is repeated, so that both summaries are written (%s)', async (_, fault) => {
  system.messagesApi.failNext(fault)
  const { job, data, calls } = await finish(newVideo())
  expect(job.status).toBe('completed')
  const { summaries, usage } = StructuredResult.parse(data)
  expect(Object.keys(summaries)).toEqual(['tldr', 'detailed'])
  expect(calls.length).toBe(3)
  // Exactly the tokens that the provider has counted, including those of failed calls. What the first call of a job reads
  // from the cache because of another job counts as written.
  const usages = calls.flatMap(({ usage: counts }) => counts ?? [])
  const counted = usages.reduce(
    (sum, { input_tokens, cache_creation_input_tokens }) => sum + input_tokens + cache_creation_input_tokens,
    usages[0]?.cache_read_input_tokens ?? 0,
  )
  expect(usage.input_tokens).toBe(counted)
})

test.each<[string, Fault, boolean]>([
  ['a refusal', { kind: 'refusal' }, false],
  ['a spent balance', { status: 402 }, false],
  ['a spending limit', { status: 429, errorCode: 'enforced_spend_limit_reached' }, false],
  ['overload that lasts', { status: 529, headers: FAST }, true],
])('a result lacks one summary, with a warning, if the model fails for it (%s)', async (_, fault, isRetried) => {
  system.messagesApi.failNext(fault, { instructionIncludes: '"detailed"', times: 99 })
  const { job, data, warnings, calls } = await finish(newVideo())
  expect(job.status).toBe('completed')
  const { summaries, usage } = StructuredResult.parse(data)
  expect(Object.keys(summaries)).toEqual(['tldr'])
  expect(warnings).toContain('SUMMARY_MODE_UNAVAILABLE')
  // The job is retried only after temporary failures.
  expect(calls.length > 4).toBe(isRetried)
  if (fault.kind === 'refusal') expect(usage.overhead?.cached_input_tokens).toBeGreaterThan(0)
})

test.each<[string, Fault, boolean]>([
  ['an unknown key', { status: 401 }, false],
  ['a spent balance', { status: 402 }, false],
  ['a spending limit', { status: 429, errorCode: 'enforced_spend_limit_reached' }, false],
  ['overload that lasts', { status: 529, headers: FAST }, true],
])('a job without any summary fails (%s)', async (_, fault, retryable) => {
  system.messagesApi.failNext(fault, { times: 99 })
  const { job, error } = await finish(newVideo())
  expect(job).toMatchObject({ status: 'failed', error: { code: 'SUMMARY_UNAVAILABLE', retryable } })
  expect(error?.code).toBe('SUMMARY_UNAVAILABLE')
})

test.each<[string, Fault]>([
  ['plain text', { kind: 'answer', text: '# Summary\n\nIt is about the sea.' }],
  ['cut answers', { kind: 'cut' }],
])('summaries are extractive while the model gives nothing usable (%s)', async (_, fault) => {
  system.messagesApi.failNext(fault, { times: 99 })
  const video = newVideo()
  const { job, data, warnings, calls } = await finish(video, { summary_modes: SUMMARY_MODES, output_language: 'de' })
  system.messagesApi.forgetFaults()
  expect(job.status).toBe('completed')
  const { summaries, usage, quality } = StructuredResult.parse(data)
  expect(Object.values(summaries).map(({ model }) => model)).toEqual(SUMMARY_MODES.map(() => 'extractive'))
  expect(warnings).toEqual(['EXTRACTIVE_SUMMARY', 'OUTPUT_LANGUAGE_NOT_AVAILABLE'])
  expect(quality.strategy).toBe('extractive')
  // The answers are paid for, with at most one repair each.
  expect(usage.input_tokens).toBeGreaterThan(0)
  expect(usage.model).toBe(MODEL)
  expect(calls.length).toBeLessThanOrEqual(fault.kind === 'cut' ? 99 : 2 * SUMMARY_MODES.length)

  const later = await finish(video, { summary_modes: ['tldr'], output_language: 'de' })
  expect(StructuredResult.parse(later.data).summaries.tldr?.model).not.toBe('extractive')
})

test('the receipts of the modes add up to the whole, and a second job pays nothing', async () => {
  const video = newVideo()
  const first = StructuredResult.parse((await finish(video, { summary_modes: SUMMARY_MODES })).data)
  const receipts = [...Object.values(first.usage.by_mode ?? {}), first.usage.overhead].flatMap((entry) => entry ?? [])
  const sum = (pick: (receipt: (typeof receipts)[0]) => number) =>
    receipts.reduce((total, entry) => total + pick(entry), 0)
  expect(sum((entry) => entry.fresh_input_tokens + entry.cache_write_tokens)).toBe(first.usage.input_tokens)
  expect(sum((entry) => entry.cached_input_tokens)).toBe(first.usage.cached_input_tokens)
  expect(sum((entry) => entry.output_tokens)).toBe(first.usage.output_tokens)
  expect(sum((entry) => entry.cost_usd)).toBeCloseTo(first.usage.cost_usd, 6)
  expect(first.usage.cached_input_tokens).toBeGreaterThan(3 * (first.usage.cache_write_tokens ?? 0))
  expect(first.quality).toMatchObject({
    strategy: 'per_mode',
    unsupported_claims: 0,
    citation_precision: 1,
    truncated: false,
  })

  const again = await finish(video, { summary_modes: SUMMARY_MODES })
  expect(again.calls).toEqual([])
  expect(StructuredResult.parse(again.data).usage).toMatchObject({ total_tokens: 0, cached: true })
})

test('a summary in another language is a summary of its own, of the same transcript', async () => {
  const german = system.addCopy(SAMPLE_TALKS.german)
  const { data, calls } = await finish(german.id, { summary_modes: ['tldr'], output_language: 'nl' })
  expect(StructuredResult.parse(data).summaries.tldr).toBeDefined()
  expect(calls[0]?.instruction).toContain('Dutch (nl)')
  const own = await finish(german.id, { summary_modes: ['tldr'] })
  expect(own.calls).toHaveLength(1)
})

test('a video of two hours is read in parts, and the result says so', async () => {
  const { data } = await finish(newVideo(2), { summary_modes: ['timestamped'] })
  const { quality, summaries, usage } = StructuredResult.parse(data)
  expect(quality.strategy).toBe('map_reduce')
  expect(usage.overhead?.fresh_input_tokens).toBeGreaterThan(20_000)
  const starts = summaries.timestamped?.citations.map(({ start }) => start) ?? []
  expect(Math.max(...starts)).toBeGreaterThan(5_400)
})

test('captions that instruct an obedient model cause no leak, link or markup, and a warning', async () => {
  system.messagesApi.failNext({ kind: 'obey' }, { times: 9_999 })
  const jobs = await Promise.all(
    Object.values(INJECTED_LINES).map(async (line, index) => {
      const video = injected(`sbtx-inj${String(index).padStart(3, '0')}`, line)
      system.platform.addVideo(video)
      return {
        line,
        jobId: await client.submit({ url: watchUrl(video.id), options: { summary_modes: SUMMARY_MODES } }),
      }
    }),
  )
  for (const { line, jobId } of jobs) {
    const job = await client.follow(jobId)
    expect([line, job.status]).toEqual([line, 'completed'])
    const { data, meta } = await client.get(`/videos/result/${jobId}`)
    const { summaries, quality } = DefaultResult.parse(data)
    expect([line, quality.injection_suspected]).toEqual([line, true])
    expect((meta.warnings ?? []).map(({ code }) => code)).toContain('INJECTION_SUSPECTED')
    const text = Object.values(summaries).join('\n')
    expect(text).not.toMatch(/You summarize videos|strangers|written or spoken by|not watched them/)
    expect(text).not.toMatch(
      /https?:\/\/(?!www\.youtube\.com\/watch\?v=sbtx-inj)|(?<!\\)<[a-z/!]|[\u202A-\u202E\u{E0000}-\u{E007F}]/iu,
    )
  }
})

function injected(id: string, line: string): SampleVideo {
  const video = longVideo({ id, hours: 1 / 20 })
  const [track] = video.tracks
  if (!track) throw new Error('A video without a track.')
  const cues = track.cues().map((cue, index) => (index % 9 === 4 ? { ...cue, text: line } : cue))
  return { ...video, tracks: [{ ...track, kind: 'manual', cues: () => cues }] }
}

test('faults of the model leave every invariant intact', async () => {
  expect(await findViolations(system)).toEqual({})
})
