import { once } from 'node:events'
import { JobCompletedEvent, JobFailedEvent, ServiceError, type Warning } from '@subtext/contracts'
import { findResult, type Job } from '@subtext/core/jobs'
import { waitUntil } from '@subtext/embedded/testing'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

const event = async (job: Job): Promise<unknown> => {
  const stored = await worker.ctx.db.prisma.webhookEvent.findFirst({ where: { subjectId: job.id } })
  return stored && JSON.parse(Buffer.from(stored.body).toString('utf8'))
}
const used = async (job: Job) =>
  (await worker.ctx.db.prisma.quotaUsage.findMany({ where: { userId: job.userId } })).map((entry) => entry.used)
const untilAborted = async (signal: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}
const WEBHOOK = 'https://example.org/hook'

test('a job that succeeds stores its result, usage and event in the form of the contract', async () => {
  const job = await worker.submit(
    { webhookUrl: WEBHOOK, clientReference: 'ref' },
    { summary_modes: ['tldr', 'detailed'], language: 'ja', include_comments: true },
  )
  await worker.run(job)
  expect(worker.outcomes).toEqual(['completed'])
  expect(await worker.row(job)).toMatchObject({
    status: 'completed',
    progress: 100,
    attempts: 1,
    error: null,
    leaseToken: null,
  })
  expect(((await worker.row(job)).warnings as { code: string }[]).map(({ code }) => code)).toEqual([
    'LANGUAGE_NOT_AVAILABLE',
    'COMMENTS_UNAVAILABLE',
  ])
  const { data, ...head } = JobCompletedEvent.parse(await event(job))
  expect(head).toMatchObject({ event: 'job.completed', api_version: 'v1' })
  expect(data).toMatchObject({
    job_id: job.id,
    format: 'json',
    client_reference: 'ref',
    transcript: { language: 'en', truncated: false, segments: [{ id: 1, start: 0, text: 'one (en)' }, {}, {}] },
    usage: {
      input_tokens: 22,
      output_tokens: 10,
      cached_input_tokens: 4,
      total_tokens: 36,
      cost_usd: 0.02,
      cached: false,
    },
  })
  expect(Object.keys(data.summaries)).toEqual(['tldr', 'detailed'])
  expect(await used(job)).toEqual([1, 1])
  expect(worker.notifications.filter((kind) => kind !== 'progress')).toEqual(['job', 'delivery'])
})

test('a job that reuses everything from an earlier job of its account costs nothing', async () => {
  const first = await worker.submit({ videoId: 'same-video1' })
  await worker.run(first)
  const job = await worker.submit({ videoId: 'same-video1', userId: first.userId })
  await worker.run(job)
  const entry = await worker.ctx.db.prisma.usageEntry.findFirstOrThrow({ where: { jobId: job.id } })
  expect(entry).toMatchObject({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 })
  expect(worker.stubs.summaries).toEqual(['tldr'])
})

test('a transcript that is too long is cut at a cue, with a warning', async () => {
  const job = await worker.submit({}, { max_transcript_length: 10 })
  await worker.run(job)
  const result = await worker.ctx.db.prisma.result.findUniqueOrThrow({ where: { jobId: job.id } })
  expect(result).toMatchObject({ cueCount: 1, truncated: true, citedStarts: { 1: 0 } })
  expect((await worker.row(job)).warnings).toEqual([expect.objectContaining({ code: 'TRANSCRIPT_TRUNCATED' })])
})

test('comments are stored if they are available, and otherwise cause a warning', async () => {
  const comment = { author: 'A', text: 'b', like_count: '', published: '', is_pinned: false, is_by_channel: true }
  const comments = async (asked: boolean) => {
    const job = await worker.submit({ videoId: 'same-video7' }, { include_comments: asked })
    await worker.run(job)
    const { warnings } = await worker.row(job)
    const result = await findResult(worker.ctx.db, job.id)
    return {
      comments: result?.comments,
      cleaning: result?.cleaning,
      warnings: (warnings as Warning[]).map(({ code }) => code),
    }
  }
  const cleaning = { removed_duplicates: 0, removed_non_speech: 0, characters_before: 24, characters_after: 24 }
  expect(await comments(true)).toEqual({ comments: null, cleaning, warnings: ['COMMENTS_UNAVAILABLE'] })
  worker.stubs.comments = [comment]
  expect(await comments(true)).toEqual({ comments: [comment], cleaning, warnings: [] })
  expect(await comments(false)).toEqual({ comments: null, cleaning, warnings: [] })
})

describe('a summary that cannot be written', () => {
  const FINAL = new ServiceError('SUMMARY_UNAVAILABLE', { retryable: false })
  const REASONS = ['declined', 'too-long', 'unusable', 'wordless', 'unavailable'] as const
  const warningOf = (mode: string) => ({
    code: 'SUMMARY_MODE_UNAVAILABLE',
    message: expect.stringMatching(new RegExp(`^The summary \`${mode}\` could not be written: the .*\\.$`)),
  })

  test.each(REASONS)('causes a warning when others are written (%s)', async (reason) => {
    worker.stubs.unwritable.set('detailed', { reason, error: FINAL })
    const job = await worker.submit({}, { summary_modes: ['tldr', 'detailed'] })
    await worker.run(job)
    expect(await worker.row(job)).toMatchObject({ status: 'completed', warnings: [warningOf('detailed')] })
  })

  test.each(REASONS.slice(0, -1))('does not withhold the transcript when no other is written (%s)', async (reason) => {
    for (const mode of ['tldr', 'detailed'] as const) worker.stubs.unwritable.set(mode, { reason, error: FINAL })
    const job = await worker.submit({ webhookUrl: WEBHOOK }, { summary_modes: ['tldr', 'detailed'] })
    await worker.run(job)
    expect(worker.outcomes).toEqual(['completed'])
    const warnings = [warningOf('tldr'), warningOf('detailed')]
    expect(await worker.row(job)).toMatchObject({ status: 'completed', warnings })
    const result = await findResult(worker.ctx.db, job.id)
    expect(result).toMatchObject({ cueCount: 3, usage: { model: 'none', cached: false, total_tokens: 0 } })
    expect(await used(job)).toEqual([1, 1])
    expect(JobCompletedEvent.parse(await event(job)).data.summaries).toEqual({})
  })

  test.each(['declined', 'unavailable'] as const)(
    'fails the job when no other is written and the model is unavailable (the other mode: %s)',
    async (reason) => {
      worker.stubs.unwritable.set('tldr', { reason, error: FINAL })
      worker.stubs.unwritable.set('detailed', { reason: 'unavailable', error: FINAL })
      const job = await worker.submit({}, { summary_modes: ['tldr', 'detailed'] })
      await worker.run(job)
      expect(worker.outcomes).toEqual(['failed'])
      expect(await worker.row(job)).toMatchObject({ status: 'failed', error: { code: 'SUMMARY_UNAVAILABLE' } })
      expect(await used(job)).toEqual([0, 0])
    },
  )
})

test('a job with a final error fails at once with the reason and returns its quota', async () => {
  const details = { reason: 'no_captions' }
  worker.stubs.beforeVideo = () => Promise.reject(new ServiceError('TRANSCRIPT_UNAVAILABLE', { details }))
  const job = await worker.submit({ webhookUrl: WEBHOOK, agentName: 'agent' })
  await worker.run(job)
  expect(worker.outcomes).toEqual(['failed'])
  expect(await worker.row(job)).toMatchObject({
    status: 'failed',
    error: { code: 'TRANSCRIPT_UNAVAILABLE', retryable: false, details },
  })
  expect(await used(job)).toEqual([0, 0])
  const { data } = JobFailedEvent.parse(await event(job))
  expect(data).toMatchObject({ job_id: job.id, status: 'failed', agent_name: 'agent', error: { details } })
})

test('a job with a temporary error is tried again after a pause and then succeeds', async () => {
  let times = 0
  worker.stubs.beforeVideo = async () => {
    if (++times === 1) throw new ServiceError('UPSTREAM_BLOCKED')
  }
  const job = await worker.submit()
  await worker.run(job)
  expect(await worker.row(job)).toMatchObject({ status: 'processing', leaseToken: null, error: null })
  await worker.run(job)
  expect(worker.outcomes).toEqual(['postponed', 'completed'])
  expect((await worker.row(job)).attempts).toBe(2)
  expect(await used(job)).toEqual([1, 1])
})

test('a job whose attempts are used up fails with its last error', async () => {
  worker.stubs.beforeVideo = () => Promise.reject(new ServiceError('UPSTREAM_UNAVAILABLE'))
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  for (let time = 0; time < 4; time++) await worker.run(job)
  expect(worker.outcomes).toEqual(['postponed', 'postponed', 'failed'])
  expect(await worker.row(job)).toMatchObject({
    status: 'failed',
    attempts: 3,
    error: { code: 'UPSTREAM_UNAVAILABLE' },
  })
  expect(await worker.ctx.db.prisma.webhookEvent.count()).toBe(1)
})

test('an internal error reveals nothing about itself', async () => {
  worker.ctx.work = { ...worker.ctx.work, retrySchedule: [] }
  worker.stubs.beforeVideo = () => Promise.reject(new Error('password=hunter2 at db.internal'))
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  await worker.run(job)
  expect(JSON.stringify([await worker.row(job), await event(job)])).not.toContain('hunter2')
  expect(await worker.row(job)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } })
})

test('a worker that stops hands its job back, and the attempt does not count', async () => {
  const stopping = new AbortController()
  worker.stubs.beforeVideo = untilAborted
  const job = await worker.submit()
  const work = worker.run(job, stopping.signal)
  await waitUntil('the video is requested', () => worker.stubs.videos.length > 0)
  stopping.abort()
  await work
  expect(worker.outcomes).toEqual(['handed_back'])
  expect(await worker.row(job)).toMatchObject({ status: 'processing', attempts: 0, leaseToken: null })
  worker.stubs.beforeVideo = async () => {}
  await worker.run(job)
  expect((await worker.row(job)).status).toBe('completed')
})

test('a job that takes too long fails with PROCESSING_TIMEOUT, without another attempt', async () => {
  worker.ctx.work = { ...worker.ctx.work, timeoutMs: 300 }
  worker.stubs.beforeVideo = untilAborted
  const job = await worker.submit()
  await worker.run(job)
  expect(await worker.row(job)).toMatchObject({ status: 'failed', error: { code: 'PROCESSING_TIMEOUT' } })
  expect(await used(job)).toEqual([0, 0])
})

test('of two workers with the same job, the one that lost it writes nothing and the other completes it once', async () => {
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  let release = (): void => {}
  worker.stubs.beforeSummary = () =>
    new Promise((resolve) => {
      release = resolve
      worker.stubs.beforeSummary = async () => {}
    })
  const slow = worker.run(job)
  await waitUntil('the summary is requested', () => worker.stubs.summaries.length > 0)
  await worker.passTime()
  const fast = worker.run(job)
  await waitUntil('the other worker has the job', async () => (await worker.row(job)).deaths > 0)
  release()
  await Promise.all([slow, fast])
  expect(worker.outcomes.sort()).toEqual(['completed', 'lease_lost'])
  expect(await worker.ctx.db.prisma.usageEntry.count()).toBe(1)
  expect(await worker.ctx.db.prisma.webhookEvent.count()).toBe(1)
  expect(worker.stubs.summaries).toEqual(['tldr'])
})

test('a lost lease aborts the running work, whatever error that causes', async () => {
  worker.ctx.work = { ...worker.ctx.work, leaseSeconds: 0.6 }
  worker.stubs.beforeVideo = async (signal) => {
    await worker.ctx.db.query('UPDATE jobs SET lease_token = gen_random_uuid()')
    await untilAborted(signal).catch(() => Promise.reject(new TypeError('fetch failed')))
  }
  const job = await worker.submit()
  await worker.run(job)
  expect(worker.outcomes).toEqual(['lease_lost'])
  expect(await worker.row(job)).toMatchObject({ status: 'processing', error: null, attempts: 1 })
})

test('a task for a job that has ended or does not exist does nothing', async () => {
  const job = await worker.submit()
  await worker.run(job)
  await worker.run(job)
  await worker.run({ id: '0190b0c4-0000-7000-8000-000000000001' })
  expect(worker.outcomes).toEqual(['completed'])
})
