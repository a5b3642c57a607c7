import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { JobCompletedEvent, JobFailedEvent, ServiceError, type Warning } from '@subtext/contracts'
import { findResult, type Job } from '@subtext/db'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'
import { processJob } from './process-job.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

const STAYING = new AbortController().signal
const run = (job: Job, leaving = STAYING) => processJob(worker.ctx, job.id, leaving)
const row = (job: Job) => worker.ctx.db.prisma.job.findUniqueOrThrow({ where: { id: job.id } })
const passTime = () => worker.ctx.db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
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

test('a job that succeeds: result, usage and event, as the contract shows them', async () => {
  const job = await worker.submit(
    { webhookUrl: WEBHOOK, clientReference: 'ref' },
    { summary_modes: ['tldr', 'detailed'], language: 'ja', include_comments: true },
  )
  await run(job)
  expect(worker.outcomes).toEqual(['completed'])
  expect(await row(job)).toMatchObject({
    status: 'completed',
    progress: 100,
    attempts: 1,
    error: null,
    leaseToken: null,
  })
  expect(((await row(job)).warnings as { code: string }[]).map(({ code }) => code)).toEqual([
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
  expect(worker.notifications.indexOf('progress')).toBe(0)
})

test('a job that takes over everything costs nothing', async () => {
  await run(await worker.submit({ videoId: 'same-video1' }))
  const job = await worker.submit({ videoId: 'same-video1' })
  await run(job)
  const entry = await worker.ctx.db.prisma.usageEntry.findUniqueOrThrow({ where: { jobId: job.id } })
  expect(entry).toMatchObject({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 })
  expect(worker.stubs.summaries).toEqual(['tldr'])
})

test('a transcript that is too long is cut at a cue, and said so', async () => {
  const job = await worker.submit({}, { max_transcript_length: 10 })
  await run(job)
  const result = await worker.ctx.db.prisma.result.findUniqueOrThrow({ where: { jobId: job.id } })
  expect(result).toMatchObject({ cueCount: 1, truncated: true, citedStarts: { 1: 0 } })
  expect((await row(job)).warnings).toEqual([expect.objectContaining({ code: 'TRANSCRIPT_TRUNCATED' })])
})

test('comments are kept where they can be had, and else a warning', async () => {
  const comment = { author: 'A', text: 'b', like_count: '', published: '', is_pinned: false, is_by_channel: true }
  const comments = async (asked: boolean) => {
    const job = await worker.submit({ videoId: 'same-video7' }, { include_comments: asked })
    await run(job)
    const { warnings } = await row(job)
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

  test.each(REASONS)('(%s) is a warning beside others', async (reason) => {
    worker.stubs.unwritable.set('detailed', { reason, error: FINAL })
    const job = await worker.submit({}, { summary_modes: ['tldr', 'detailed'] })
    await run(job)
    expect(await row(job)).toMatchObject({ status: 'completed', warnings: [warningOf('detailed')] })
  })

  test.each(REASONS.slice(0, -1))('(%s) and is the only one: the transcript arrives all the same', async (reason) => {
    for (const mode of ['tldr', 'detailed'] as const) worker.stubs.unwritable.set(mode, { reason, error: FINAL })
    const job = await worker.submit({ webhookUrl: WEBHOOK }, { summary_modes: ['tldr', 'detailed'] })
    await run(job)
    expect(worker.outcomes).toEqual(['completed'])
    const warnings = [warningOf('tldr'), warningOf('detailed')]
    expect(await row(job)).toMatchObject({ status: 'completed', warnings })
    const result = await findResult(worker.ctx.db, job.id)
    expect(result).toMatchObject({ cueCount: 3, usage: { model: 'none', cached: false, total_tokens: 0 } })
    expect(await used(job)).toEqual([1, 1])
    expect(JobCompletedEvent.parse(await event(job)).data.summaries).toEqual({})
  })

  test.each(['declined', 'unavailable'] as const)(
    'while the model is away (the other: %s): the job fails',
    async (reason) => {
      worker.stubs.unwritable.set('tldr', { reason, error: FINAL })
      worker.stubs.unwritable.set('detailed', { reason: 'unavailable', error: FINAL })
      const job = await worker.submit({}, { summary_modes: ['tldr', 'detailed'] })
      await run(job)
      expect(worker.outcomes).toEqual(['failed'])
      expect(await row(job)).toMatchObject({ status: 'failed', error: { code: 'SUMMARY_UNAVAILABLE' } })
      expect(await used(job)).toEqual([0, 0])
    },
  )
})

test('what another try cannot help fails at once, gives the quota back and says why', async () => {
  const details = { reason: 'no_captions' }
  worker.stubs.beforeVideo = () => Promise.reject(new ServiceError('TRANSCRIPT_UNAVAILABLE', { details }))
  const job = await worker.submit({ webhookUrl: WEBHOOK, agentName: 'agent' })
  await run(job)
  expect(worker.outcomes).toEqual(['failed'])
  expect(await row(job)).toMatchObject({
    status: 'failed',
    error: { code: 'TRANSCRIPT_UNAVAILABLE', retryable: false, details },
  })
  expect(await used(job)).toEqual([0, 0])
  const { data } = JobFailedEvent.parse(await event(job))
  expect(data).toMatchObject({ job_id: job.id, status: 'failed', agent_name: 'agent', error: { details } })
})

test('what may pass is tried again after a pause, and then succeeds', async () => {
  let times = 0
  worker.stubs.beforeVideo = async () => {
    if (++times === 1) throw new ServiceError('UPSTREAM_BLOCKED')
  }
  const job = await worker.submit()
  await run(job)
  expect(await row(job)).toMatchObject({ status: 'processing', leaseToken: null, error: null })
  await run(job)
  expect(worker.outcomes).toEqual(['postponed', 'completed'])
  expect((await row(job)).attempts).toBe(2)
  expect(await used(job)).toEqual([1, 1])
})

test('when the tries are used up the last error stands', async () => {
  worker.stubs.beforeVideo = () => Promise.reject(new ServiceError('UPSTREAM_UNAVAILABLE'))
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  for (let time = 0; time < 4; time++) await run(job)
  expect(worker.outcomes).toEqual(['postponed', 'postponed', 'failed'])
  expect(await row(job)).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'UPSTREAM_UNAVAILABLE' } })
  expect(await worker.ctx.db.prisma.webhookEvent.count()).toBe(1)
})

test('an error of ours shows nothing of itself', async () => {
  worker.ctx.work = { ...worker.ctx.work, retrySchedule: [] }
  worker.stubs.beforeVideo = () => Promise.reject(new Error('password=hunter2 at db.internal'))
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  await run(job)
  expect(JSON.stringify([await row(job), await event(job)])).not.toContain('hunter2')
  expect(await row(job)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } })
})

test('a job that ended its worker five times is given up without a sixth try', async () => {
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  await worker.ctx.db.query('UPDATE jobs SET attempts = 5 WHERE id = $1', [job.id])
  await run(job)
  expect(worker.stubs.videos).toEqual([])
  expect(await row(job)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR', retryable: false } })
  expect(JobFailedEvent.parse(await event(job)).data.job_id).toBe(job.id)
})

test('a worker that leaves gives the job back, and the try does not count', async () => {
  const leaving = new AbortController()
  worker.stubs.beforeVideo = untilAborted
  const job = await worker.submit()
  const work = run(job, leaving.signal)
  while (worker.stubs.videos.length === 0) await sleep(5)
  leaving.abort()
  await work
  expect(worker.outcomes).toEqual(['handed back'])
  expect(await row(job)).toMatchObject({ status: 'processing', attempts: 0, leaseToken: null })
  worker.stubs.beforeVideo = async () => {}
  await run(job)
  expect((await row(job)).status).toBe('completed')
})

test('a job that takes too long fails as that, once', async () => {
  worker.ctx.work = { ...worker.ctx.work, timeoutMs: 300 }
  worker.stubs.beforeVideo = untilAborted
  const job = await worker.submit()
  await run(job)
  expect(await row(job)).toMatchObject({ status: 'failed', error: { code: 'PROCESSING_TIMEOUT' } })
  expect(await used(job)).toEqual([0, 0])
})

test('two workers with the same job: the one that lost it writes nothing, the other completes it once', async () => {
  const job = await worker.submit({ webhookUrl: WEBHOOK })
  let release = (): void => {}
  worker.stubs.beforeSummary = () =>
    new Promise((resolve) => {
      release = resolve
      worker.stubs.beforeSummary = async () => {}
    })
  const slow = run(job)
  while (worker.stubs.summaries.length === 0) await sleep(5)
  await passTime()
  const fast = run(job)
  while ((await row(job)).attempts < 2) await sleep(5)
  release()
  await Promise.all([slow, fast])
  expect(worker.outcomes.sort()).toEqual(['completed', 'lease lost'])
  expect(await worker.ctx.db.prisma.usageEntry.count()).toBe(1)
  expect(await worker.ctx.db.prisma.webhookEvent.count()).toBe(1)
  expect(worker.stubs.summaries).toEqual(['tldr'])
})

test('a lost lease ends the work under way, whatever it throws then', async () => {
  worker.ctx.work = { ...worker.ctx.work, leaseSeconds: 0.6 }
  worker.stubs.beforeVideo = async (signal) => {
    await worker.ctx.db.query('UPDATE jobs SET lease_token = gen_random_uuid()')
    await untilAborted(signal).catch(() => Promise.reject(new TypeError('fetch failed')))
  }
  const job = await worker.submit()
  await run(job)
  expect(worker.outcomes).toEqual(['lease lost'])
  expect(await row(job)).toMatchObject({ status: 'processing', error: null, attempts: 1 })
})

test('a job stays with its worker while the store is away for longer than the lease', async () => {
  worker.ctx.work = { ...worker.ctx.work, leaseSeconds: 0.6 }
  const wire = await worker.stretchWire()
  worker.stubs.beforeSummary = async () => {
    wire.cut()
    await sleep(1_500)
    setTimeout(wire.heal, 200)
  }
  const job = await worker.submit()
  await run(job)
  expect(worker.outcomes).toEqual(['completed'])
  expect(await row(job)).toMatchObject({ status: 'completed', attempts: 1 })
  expect(worker.stubs.summaries).toEqual(['tldr'])
})

test('a store that was away when the job is given back is no fault of the job either', async () => {
  const wire = await worker.stretchWire()
  worker.stubs.beforeVideo = async () => {
    wire.cut()
    setTimeout(wire.heal, 1_000)
  }
  const job = await worker.submit()
  await run(job)
  expect(worker.outcomes).toEqual(['handed back'])
  expect(await row(job)).toMatchObject({ status: 'processing', attempts: 0, leaseToken: null })
})

test('a task for a job that has ended, or never was, does nothing', async () => {
  const job = await worker.submit()
  await run(job)
  await run(job)
  await processJob(worker.ctx, '0190b0c4-0000-7000-8000-000000000001', STAYING)
  expect(worker.outcomes).toEqual(['completed'])
})
