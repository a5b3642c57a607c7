import { randomUUID } from 'node:crypto'
import type { Job } from '@subtext/core/jobs'
import { addJobSpending, listJobWork } from '@subtext/core/summaries'
import { buildUsage } from '@subtext/core/usage'
import { waitUntil } from '@subtext/embedded/testing'
import { newCues, openTestWorker, type TestWorker } from '../testing/worker.ts'
import { obtainTranscript } from './obtain-transcript.ts'
import { writeSummaries } from './write-summaries.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

/** Writes the summaries of a job, and returns its modes, marked if they are reused. */
async function write(job: Job): Promise<{ made: string[] }> {
  const signal = new AbortController().signal
  const capacity = worker.ctx.largeVideos.open()
  const { transcript, info } = await obtainTranscript(worker.ctx, job, {
    signal,
    capacity,
    onFetchingCaptions: () => {},
  })
  const source = { ...transcript, info, cues: newCues('en') }
  const { summaries } = await writeSummaries(worker.ctx, job, source, { signal, onProgress: () => {} })
  return { made: summaries.map(({ mode, reused }) => `${mode}${reused ? ' reused' : ''}`) }
}

const submit = (modes: ['tldr'], overrides: Parameters<TestWorker['submit']>[0]) =>
  worker.submit({ quota: { daily: 100, monthly: 100 }, videoId: 'same-video1', ...overrides }, { summary_modes: modes })

describe('summaries that another account paid for', () => {
  const [ALICE, BOB] = [randomUUID(), randomUUID()]
  const submitAs = (userId: string) => submit(['tldr'], { userId })
  const usageOf = async ({ id }: Job) => {
    const { summaries, spendings } = await listJobWork(worker.ctx.db, id)
    return buildUsage(summaries, spendings)
  }

  test('show the same figures as fresh ones, and those of the account itself as cached', async () => {
    const jobs = [await submitAs(ALICE), await submitAs(BOB), await submitAs(BOB)] as const
    const usage = { inputTokens: 70, outputTokens: 7, cachedInputTokens: 3, cacheWriteTokens: 2, costUsd: 0.25 }
    const notes = { purpose: 'notes', mode: null, model: 'model-a', usage } as const
    await addJobSpending(worker.ctx.db, { ...notes, id: randomUUID(), jobId: jobs[0].id })
    for (const job of jobs) await write(job)
    expect(worker.stubs.summaries).toEqual(['tldr'])
    const [fresh, shared, own] = [await usageOf(jobs[0]), await usageOf(jobs[1]), await usageOf(jobs[2])]
    expect(fresh).toMatchObject({ cached: false, overhead: { cost_usd: 0.25 } })
    expect(shared).toEqual(fresh)
    expect(own).toMatchObject({ cached: true, cost_usd: 0, total_tokens: 0 })
  })

  test('are marked for the operator, whom they cost nothing', async () => {
    for (const job of [await submitAs(ALICE), await submitAs(BOB)]) await write(job)
    const { rows } = await worker.ctx.db.query('SELECT reused, shared FROM job_summaries ORDER BY shared')
    expect(rows).toEqual([
      { reused: false, shared: false },
      { reused: false, shared: true },
    ])
  })
})

describe('what would tell that another account had asked for the same', () => {
  const [ALICE, BOB] = [randomUUID(), randomUUID()]

  test('summaries with instructions are reused by their own account alone', async () => {
    const submitAs = (userId: string) => submit(['tldr'], { userId, customInstructions: 'costs only' })
    for (const userId of [ALICE, BOB]) expect((await write(await submitAs(userId))).made).toEqual(['tldr'])
    expect((await write(await submitAs(BOB))).made).toEqual(['tldr reused'])
    expect(worker.stubs.summaries).toEqual(['tldr', 'tldr'])
  })

  test('accounts do not wait for each other to write what they cannot share', async () => {
    worker.ctx.summarizer = { ...worker.ctx.summarizer, readsInParts: () => true }
    let writing = 0
    worker.stubs.beforeSummary = async () => {
      writing++
      await waitUntil('both accounts write', () => writing === 2)
    }
    const jobs = [await submit(['tldr'], { userId: ALICE }), await submit(['tldr'], { userId: BOB })]
    await Promise.all(jobs.map((job) => write(job)))
    expect(worker.stubs.summaries).toEqual(['tldr', 'tldr'])
  })

  test('summaries written from notes are reused by their own account alone', async () => {
    const { summarizer } = worker.ctx
    const quality = { coverage: 1, citations: 1, supportedCitations: 1, unsupportedClaims: 0, chunks: 2 }
    worker.ctx.summarizer = {
      ...summarizer,
      summarize: (source, modes, options) =>
        summarizer.summarize(source, modes, {
          ...options,
          onSummary: (summary) =>
            options.onSummary({
              ...summary,
              quality: { ...quality, strategy: 'map_reduce', injectionSuspected: false },
            }),
        }),
    }
    for (const userId of [ALICE, BOB]) expect((await write(await submit(['tldr'], { userId }))).made).toEqual(['tldr'])
    expect((await write(await submit(['tldr'], { userId: BOB }))).made).toEqual(['tldr reused'])
    expect(worker.stubs.summaries).toEqual(['tldr', 'tldr'])
  })
})
