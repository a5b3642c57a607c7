import { randomUUID } from 'node:crypto'
import { newVideoInfo } from '@subtext/contracts/testing'
import { StaleResultError } from '@subtext/core/jobs'
import { addJobSpending } from '@subtext/core/summaries'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'
import { processVideo } from './process-video.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

test.each([
  ['en', ['EXTRACTIVE_SUMMARY']],
  ['en-US', ['EXTRACTIVE_SUMMARY']],
  ['en-GB', ['EXTRACTIVE_SUMMARY', 'OUTPUT_LANGUAGE_NOT_AVAILABLE']],
  ['de', ['EXTRACTIVE_SUMMARY', 'OUTPUT_LANGUAGE_NOT_AVAILABLE']],
])(
  'without a model, a job that wants summaries in %s of captions in `en` gets the warnings %j',
  async (output_language, codes) => {
    const { summarizer } = worker.ctx
    worker.ctx.summarizer = {
      model: 'extractive',
      promptVersion: '1',
      canTranslate: false,
      summarize: (source, modes, options) => {
        const onSummary: typeof options.onSummary = (summary) => options.onSummary({ ...summary, model: 'extractive' })
        return summarizer.summarize(source, modes, { ...options, onSummary })
      },
    }
    const job = await worker.submit({}, { summary_modes: ['tldr'], output_language })
    const warnings = await processVideo(worker.ctx, job, {
      signal: new AbortController().signal,
      report: async () => {},
      conclude: async (done) => done.warnings.map(({ code }) => code),
    })
    expect(warnings).toEqual(codes)
  },
)

test('reports the title of the video as soon as it is known, even when its captions are already stored', async () => {
  const reports: unknown[][] = []
  const process = async () =>
    processVideo(worker.ctx, await worker.submit({ videoId: 'abcdefghijk' }), {
      signal: new AbortController().signal,
      report: async (...report) => void reports.push(report),
      conclude: async () => {},
    })
  await process()
  const { title } = newVideoInfo('abcdefghijk')
  expect(reports.slice(0, 3)).toEqual([
    ['fetching_video', 5],
    ['fetching_captions', 15, title],
    ['summarizing', 40, title],
  ])
  reports.length = 0
  await process()
  expect(reports.slice(0, 2)).toEqual([
    ['fetching_video', 5],
    ['summarizing', 40, title],
  ])
})

test('builds the result again if a worker that held the job before adds to it in the meantime', async () => {
  const job = await worker.submit({}, { summary_modes: ['tldr'] })
  const seen: unknown[] = []
  const usage = { inputTokens: 3, outputTokens: 2, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.002 }
  const spending = { purpose: 'failed' as const, mode: null, model: 'stub-model', usage }
  await processVideo(worker.ctx, job, {
    signal: new AbortController().signal,
    report: async () => {},
    async conclude({ result, basis }) {
      seen.push([result.usage.cost_usd, basis])
      if (seen.length > 1) return
      await addJobSpending(worker.ctx.db, { ...spending, id: randomUUID(), jobId: job.id })
      throw new StaleResultError()
    },
  })
  expect(seen).toEqual([
    [0.01, { summaries: 1, spendings: 0 }],
    [0.012, { summaries: 1, spendings: 1 }],
  ])
  expect(worker.stubs.summaries).toEqual(['tldr'])
})

describe('a job that asks for the transcript alone', () => {
  const alone = { summary_modes: [] }

  test('never summarizes, calls no model, costs nothing and has no warning', async () => {
    worker.ctx.summarizer.summarize = async () => {
      throw new Error('The model was called.')
    }
    for (const steps of [
      ['fetching_video', 'fetching_captions', 'fetching_captions'],
      ['fetching_video', 'fetching_captions'],
    ]) {
      const reports: unknown[] = []
      const job = await worker.submit({ videoId: 'abcdefghijk', customInstructions: 'costs' }, alone)
      const done = await processVideo(worker.ctx, job, {
        signal: new AbortController().signal,
        report: (step) => void reports.push(step),
        conclude: async (processed) => processed,
      })
      expect(reports).toEqual(steps)
      expect(done).toMatchObject({
        summaries: [],
        warnings: [],
        unsaved: null,
        result: { cueCount: 3, usage: { total_tokens: 0, cost_usd: 0, model: 'none', cached: false, by_mode: {} } },
      })
    }
  })

  test('completes with its transcript, and a job that extends it has its summaries', async () => {
    const source = await worker.submit({}, alone)
    await worker.run(source)
    expect(await worker.row(source)).toMatchObject({ status: 'completed', step: 'completed' })
    expect(worker.stubs.summaries).toEqual([])
    const added = await worker.submit({ userId: source.userId }, { summary_modes: ['tldr'] })
    await worker.ctx.db.query('UPDATE jobs SET derived_from = $2 WHERE id = $1', [added.id, source.id])
    await worker.run(added)
    expect(await worker.row(added)).toMatchObject({ status: 'completed' })
    expect([worker.stubs.summaries, worker.stubs.videos.length]).toEqual([['tldr'], 1])
  })
})
