import { randomUUID } from 'node:crypto'
import { ServiceError, type SummaryMode, type VideoComment, type VideoOptions, type Warning } from '@subtext/contracts'
import { acceptDerivedJob, findResult, type Job } from '@subtext/core/jobs'
import { listJobSummaries } from '@subtext/core/summaries'
import { waitUntil } from '@subtext/embedded/testing'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

const codesOf = ({ warnings }: { warnings: unknown }) => (warnings as Warning[]).map(({ code }) => code)
const summariesOf = async ({ id }: { id: string }) =>
  (await listJobSummaries(worker.ctx.db, id)).map(({ mode, reused }) => `${mode}${reused ? ' reused' : ''}`)

/** Processes a job for a new video with the summary `tldr`. */
async function processSource(options: Partial<VideoOptions> = {}): Promise<Job> {
  const job = await worker.submit({}, options)
  await worker.run(job)
  return job
}

/** Accepts and processes a derived job. */
async function derive(
  source: Job,
  modes: SummaryMode[],
  changes: { customInstructions?: string } = {},
): Promise<{ id: string }> {
  const { userId, apiKeyId, options } = source
  const job = { id: randomUUID(), userId, apiKeyId, sourceId: source.id, webhookUrl: null, customInstructions: null }
  const accepted = { ...job, ...changes, options: { ...options, summary_modes: modes } }
  await acceptDerivedJob(worker.ctx.db, accepted, { limit: 20, now: new Date(), wakeSeconds: 3 })
  await worker.run(job)
  return job
}

test('a derived job uses the transcript of its source, asks the platform for nothing, and pays only for what it adds', async () => {
  const comment = { author: 'A', text: 'b', like_count: '', published: '', is_pinned: false, is_by_channel: true }
  worker.stubs.comments = [comment] satisfies VideoComment[]
  const source = await processSource({ language: 'ja', max_transcript_length: 10, include_comments: true })
  const asked = [worker.stubs.videos.length, worker.stubs.captions.length]
  worker.stubs.comments = null
  // The platform's answer is too old to be used for another submission.
  await worker.ctx.db.query(`UPDATE videos SET fetched_at = now() - interval '1 day'`)

  const derived = await derive(source, ['detailed', 'key_insights'])
  expect([worker.stubs.videos.length, worker.stubs.captions.length]).toEqual(asked)
  expect(worker.stubs.summaries).toEqual(['tldr', 'detailed', 'key_insights'])
  expect(await summariesOf(derived)).toEqual(['tldr reused', 'detailed', 'key_insights'])
  const [old, added] = await Promise.all([source, derived].map(({ id }) => findResult(worker.ctx.db, id)))
  expect(added).toMatchObject({
    transcriptId: old?.transcriptId,
    cueCount: 1,
    truncated: true,
    selectionReason: old?.selectionReason,
    videoInfo: old?.videoInfo,
    comments: [comment],
    usage: { cost_usd: 0.02, cached: false, by_mode: { tldr: { cost_usd: 0 }, detailed: { cost_usd: 0.01 } } },
  })
  const warnings = ['LANGUAGE_NOT_AVAILABLE', 'TRANSCRIPT_TRUNCATED']
  expect([codesOf(await worker.row(source)), codesOf(await worker.row(derived))]).toEqual([warnings, warnings])
  expect(await worker.row(derived)).toMatchObject({ status: 'completed', progress: 100 })
})

test('a derived job reuses the summaries of its account, and rewrites a mode for other instructions', async () => {
  const source = await processSource()
  expect(await summariesOf(await derive(source, ['tldr', 'detailed']))).toEqual(['tldr reused', 'detailed'])
  expect(await summariesOf(await derive(source, ['tldr', 'detailed']))).toEqual(['tldr reused', 'detailed reused'])
  const rewritten = await derive(source, ['tldr'], { customInstructions: 'Money.' })
  expect(await summariesOf(rewritten)).toEqual(['tldr'])
  const further = await derive({ ...source, ...rewritten }, ['detailed'])
  expect(await summariesOf(further)).toEqual(['tldr reused', 'detailed reused'])
  const ids = await Promise.all([rewritten, further].map(({ id }) => listJobSummaries(worker.ctx.db, id)))
  expect(ids[0]?.[0]?.id).toBe(ids[1]?.[0]?.id)
  expect(worker.stubs.summaries).toEqual(['tldr', 'detailed', 'tldr'])
})

test('a derived job that adds no summary completes with those of its source', async () => {
  const source = await processSource()
  const derived = await derive(source, [])
  expect([await summariesOf(derived), (await worker.row(derived)).status]).toEqual([['tldr reused'], 'completed'])
})

test('progress of a derived job counts only the summaries that it adds', async () => {
  const source = await processSource({ summary_modes: ['tldr', 'detailed', 'study_notes'] })
  const expected = [40, 68]
  worker.stubs.beforeSummary = async () => {
    await waitUntil(`the progress is ${expected[0]}%`, async () => {
      const { rows } = await worker.ctx.db.query<{ progress: number }>(
        'SELECT max(progress) AS progress FROM jobs WHERE progress < 100',
      )
      return rows[0]?.progress === expected[0]
    })
    expected.shift()
  }
  await derive(source, ['timestamped', 'key_insights'])
  expect(expected).toEqual([])
})

test('a derived job fails if nothing that it adds can be written', async () => {
  const source = await processSource()
  const error = new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false })
  worker.stubs.unwritable.set('detailed', { reason: 'unavailable', error })
  expect(await worker.row(await derive(source, ['detailed']))).toMatchObject({
    status: 'failed',
    error: { code: 'SUMMARY_UNAVAILABLE' },
  })
  worker.stubs.unwritable.set('detailed', { reason: 'declined', error })
  const declined = await worker.row(await derive(source, ['detailed']))
  expect([declined.status, codesOf(declined)]).toEqual(['completed', ['SUMMARY_MODE_UNAVAILABLE']])
})

test('a derived job whose source is gone fails at once', async () => {
  const source = await processSource()
  const { userId, apiKeyId, options } = source
  const job = {
    id: randomUUID(),
    userId,
    apiKeyId,
    sourceId: source.id,
    options,
    webhookUrl: null,
    customInstructions: null,
  }
  await acceptDerivedJob(worker.ctx.db, job, { limit: 20, now: new Date(), wakeSeconds: 3 })
  await worker.ctx.db.query('DELETE FROM results WHERE job_id = $1', [source.id])
  await worker.run(job)
  expect(await worker.row(job)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR', retryable: false } })
})
