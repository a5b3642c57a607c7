import { randomUUID } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { addJobSpending, addJobSummary, listJobSummaries } from '../summaries/summaries-sql.ts'
import { storeJob } from '../testing/index.ts'
import { newStoredResult } from '../testing/stored-result.ts'
import type { WebhookEvent } from '../webhooks/event.ts'
import { claimJobById } from './claim.ts'
import { completeJob, failJob, failOwnJob, StaleResultError } from './end.ts'
import type { NewJob } from './job-row.ts'
import { LeaseLostError } from './keep-lease.ts'
import { handBackJob } from './release.ts'
import { reportStep } from './report-step.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let published: string[] = []
let warnings: string[] = []
let isRedisDown = false

beforeEach(() => {
  published = []
  warnings = []
  isRedisDown = false
})

const ignore = (): void => {}
const context = () => ({
  db,
  clock: () => new Date(),
  log: { info: ignore, error: ignore, warn: (message: string) => warnings.push(message) },
  producer: { wakeJobs: async () => {} },
  notifier: {
    subscribe: () => ignore,
    publish: async (kind: string, id: string) => {
      if (isRedisDown) throw new Error('Redis is unavailable.')
      published.push(`${kind} ${id}`)
    },
  },
})

async function claimed(overrides: Partial<NewJob> = {}) {
  const job = await storeJob(db, {
    apiKeyId: randomUUID(),
    webhookUrl: 'https://example.org/hook',
    quota: { daily: 3, monthly: 3 },
    ...overrides,
  })
  const taken = await claimJobById(context(), job.id, { leaseSeconds: 60 })
  if (!taken) throw new Error('A new job could not be claimed.')
  return taken
}

const newEvent = (type: WebhookEvent['type']): WebhookEvent => ({
  id: randomUUID(),
  type,
  createdAt: new Date(),
  body: Buffer.from('{}'),
})

async function readTraces(jobId: string) {
  const where = { jobId }
  const [job, result, usage, events, released] = await Promise.all([
    db.prisma.job.findUniqueOrThrow({ where: { id: jobId } }),
    db.prisma.result.count({ where }),
    db.prisma.usageEntry.findMany({ where }),
    db.prisma.webhookEvent.findMany({ where: { subjectId: jobId }, include: { deliveries: true } }),
    db.prisma.quotaEntry.count({ where: { jobId, kind: 'release' } }),
  ])
  const used = await db.prisma.quotaUsage.findMany({ where: { userId: job.userId }, select: { used: true } })
  return { status: job.status, result, usage, events, released, used: used.map((row) => row.used) }
}
const CANCELLATION = { error: new ServiceError('JOB_CANCELLED'), completedAt: new Date() }
const NOTHING = { status: 'processing', result: 0, usage: [], events: [], released: 0, used: [1, 1] }

test('completeJob writes state, result, usage and event together, once, and notifies other processes', async () => {
  const { job, lease } = await claimed()
  const event = newEvent('job.completed')
  const done = { result: newStoredResult(job.id), warnings: [], event }
  const ends = await Promise.all([1, 2, 3].map(() => completeJob(context(), { job, lease }, done)))
  expect(ends.filter(Boolean)).toHaveLength(1)
  const { usage, events, ...rest } = await readTraces(job.id)
  expect(rest).toEqual({ status: 'completed', result: 1, released: 0, used: [1, 1] })
  expect(usage).toMatchObject([
    {
      userId: job.userId,
      apiKeyId: job.apiKeyId,
      outcome: 'completed',
      inputTokens: 5,
      outputTokens: 6,
      cachedInputTokens: 7,
    },
  ])
  expect(usage[0]?.costUsd.toNumber()).toBe(0.25)
  expect(events).toMatchObject([{ id: event.id, type: 'job.completed', deliveries: [{ url: job.webhookUrl }] }])
  expect(published).toEqual([`job ${job.id}`, `delivery ${event.id}`])
  expect(await listJobSummaries(db, job.id)).toEqual([])
})

test.each(['an attempt that failed', 'a worker that died'])(
  'completeJob writes nothing if the job has more than the result is based on, after %s',
  async (before) => {
    const { job, lease } = await claimed()
    const earlier = before === 'a worker that died' ? { ...job, deaths: 1 } : { ...job, attempts: 2 }
    const usage = { inputTokens: 5, outputTokens: 6, cachedInputTokens: 7, cacheWriteTokens: 0, costUsd: 0.25 }
    const done = { result: newStoredResult(job.id), warnings: [], event: null, platformRequests: 2 }
    const complete = (spendings: number) =>
      completeJob(context(), { job: earlier, lease }, { ...done, basis: { summaries: 0, spendings } })
    const spending = { purpose: 'failed' as const, mode: null, model: 'm', usage }
    await addJobSpending(db, { ...spending, id: randomUUID(), jobId: job.id })
    await expect(complete(0)).rejects.toBeInstanceOf(StaleResultError)
    expect(await readTraces(job.id)).toEqual(NOTHING)
    expect(await complete(1)).toBe(true)
    const { platformRequests } = await db.prisma.job.findUniqueOrThrow({ where: { id: job.id } })
    expect(platformRequests).toBe(2)
  },
)

test('failJob returns the quota in the same transaction', async () => {
  const { job, lease } = await claimed()
  const failure = { error: new ServiceError('VIDEO_UNAVAILABLE'), completedAt: new Date() }
  expect(await failJob(context(), lease, failure)).toBe(true)
  expect(await failJob(context(), lease, failure)).toBe(false)
  const { usage, events, ...rest } = await readTraces(job.id)
  expect(rest).toEqual({ status: 'failed', result: 0, released: 1, used: [0, 0] })
  expect(usage).toMatchObject([{ outcome: 'failed', inputTokens: 0 }])
  expect(events).toHaveLength(1)
})

test('failOwnJob ends a job once, even while a worker has it, which can then write nothing', async () => {
  const { job, lease } = await claimed()
  expect(await failOwnJob(context(), randomUUID(), job.id, CANCELLATION)).toBeNull()
  expect(await readTraces(job.id)).toEqual(NOTHING)

  const ends = await Promise.all([1, 2, 3].map(() => failOwnJob(context(), job.userId, job.id, CANCELLATION)))
  expect(ends.flatMap((end) => end ?? [])).toMatchObject([{ id: job.id, status: 'failed', progress: 0 }])
  const { usage, events, ...rest } = await readTraces(job.id)
  expect(rest).toEqual({ status: 'failed', result: 0, released: 1, used: [0, 0] })
  expect(usage).toMatchObject([{ outcome: 'failed' }])
  expect(events.map((event) => JSON.parse(Buffer.from(event.body).toString('utf8')))).toMatchObject([
    { event: 'job.failed', data: { job_id: job.id, error: { code: 'JOB_CANCELLED', retryable: false } } },
  ])
  expect(published).toEqual([`job ${job.id}`, `delivery ${events[0]?.id}`])
  expect(
    await completeJob(context(), { job, lease }, { result: newStoredResult(job.id), warnings: [], event: null }),
  ).toBe(false)
  expect(await claimJobById(context(), job.id, { leaseSeconds: 60 })).toBeNull()
})

describe('a cancelled job', () => {
  const usage = { inputTokens: 9, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0.01 }
  const addSummary = (jobId: string, reused = false) =>
    addJobSummary(db, { jobId, mode: 'tldr', summaryId: randomUUID(), reused })
  const addSpending = (jobId: string) =>
    addJobSpending(db, { id: randomUUID(), jobId, purpose: 'notes', mode: null, model: 'm', usage })
  const readKept = async (jobId: string) => {
    const entries = await db.prisma.quotaEntry.findMany({ where: { jobId }, orderBy: { kind: 'asc' } })
    return entries.map(({ kind, keptBecause }) => [kind, keptBecause])
  }

  test.each([
    ['a summary was finished', addSummary, 'summary_delivered'],
    ['a summary was reused', (id: string) => addSummary(id, true), 'summary_delivered'],
    ['the model was paid for it', addSpending, 'model_paid'],
  ])('keeps its quota if %s, and says why', async (_, add, reason) => {
    const { job } = await claimed()
    await add(job.id)
    const cancelled = await failOwnJob(context(), job.userId, job.id, CANCELLATION)
    expect(cancelled).toMatchObject({ status: 'failed', warnings: [{ code: 'QUOTA_KEPT' }] })
    expect(await readTraces(job.id)).toMatchObject({ status: 'failed', released: 0, used: [1, 1] })
    expect(await readKept(job.id)).toEqual([['reserve', reason]])
  })

  test('has no warning if its account has no quota', async () => {
    const { job } = await claimed({ quota: null })
    await addSummary(job.id)
    expect(await failOwnJob(context(), job.userId, job.id, CANCELLATION)).toMatchObject({ warnings: [] })
  })

  test('never has a summary that does not count, however close the two come', async () => {
    for (let round = 0; round < 20; round++) {
      const { job } = await claimed()
      await Promise.all([addSummary(job.id), failOwnJob(context(), job.userId, job.id, CANCELLATION)])
      const delivered = await db.prisma.jobSummary.count({ where: { jobId: job.id } })
      expect(await readTraces(job.id)).toMatchObject({ released: 1 - delivered, used: [delivered, delivered] })
    }
  })

  test('returns its quota if it failed for another reason', async () => {
    const { job, lease } = await claimed()
    await addSpending(job.id)
    await failJob(context(), lease, { error: new ServiceError('SUMMARY_UNAVAILABLE'), completedAt: new Date() })
    expect(await readTraces(job.id)).toMatchObject({ status: 'failed', released: 1, used: [0, 0] })
  })
})

test('of a concurrent completion and cancellation, exactly one takes effect, as a whole', async () => {
  for (let round = 0; round < 10; round++) {
    const { job, lease } = await claimed()
    const [completed, cancelled] = await Promise.all([
      completeJob(
        context(),
        { job, lease },
        {
          result: newStoredResult(job.id),
          warnings: [],
          event: newEvent('job.completed'),
        },
      ),
      failOwnJob(context(), job.userId, job.id, CANCELLATION),
    ])
    expect([completed, cancelled !== null].filter(Boolean)).toHaveLength(1)
    expect(await readTraces(job.id)).toMatchObject({
      ...(completed ? { status: 'completed', result: 1, released: 0 } : { status: 'failed', result: 0, released: 1 }),
      events: [{ type: completed ? 'job.completed' : 'job.failed' }],
    })
  }
})

test('writes nothing if any part cannot be written, and the job can still be ended', async () => {
  const { job, lease } = await claimed()
  const event = newEvent('job.completed')
  const broken = { ...event, id: 'no uuid' }
  const result = newStoredResult(job.id)
  await expect(completeJob(context(), { job, lease }, { result, warnings: [], event: broken })).rejects.toThrow()
  expect(await readTraces(job.id)).toEqual(NOTHING)
  expect(published).toEqual([])
  expect(await completeJob(context(), { job, lease }, { result, warnings: [], event })).toBe(true)
})

test('records no event for a job without a webhook', async () => {
  const { job, lease } = await claimed({ webhookUrl: null })
  await completeJob(
    context(),
    { job, lease },
    {
      result: newStoredResult(job.id),
      warnings: [],
      event: newEvent('job.completed'),
    },
  )
  expect((await readTraces(job.id)).events).toEqual([])
})

test('a lost notification only costs a log line', async () => {
  const { job, lease } = await claimed()
  isRedisDown = true
  const done = { result: newStoredResult(job.id), warnings: [], event: newEvent('job.completed') }
  expect(await completeJob(context(), { job, lease }, done)).toBe(true)
  expect((await readTraces(job.id)).status).toBe('completed')
  expect(warnings).toEqual(['notification lost', 'notification lost'])
})

test('a worker that lost the lease writes nothing', async () => {
  const { job, lease } = await claimed()
  const lost = { ...lease, token: randomUUID() }
  const error = new ServiceError('INTERNAL_ERROR')
  expect(
    await completeJob(context(), { job, lease: lost }, { result: newStoredResult(job.id), warnings: [], event: null }),
  ).toBe(false)
  expect(await failJob(context(), lost, { error, completedAt: new Date() })).toBe(false)
  await expect(reportStep(context(), lost, 'summarizing', 50)).rejects.toBeInstanceOf(LeaseLostError)
  expect(await readTraces(job.id)).toEqual(NOTHING)
  expect(published).toEqual([])
})

test('a job that was handed back can be claimed at once, and the attempt does not count', async () => {
  const { job, lease } = await claimed()
  expect(await handBackJob(context(), lease)).toBe(true)
  expect((await claimJobById(context(), job.id, { leaseSeconds: 60 }))?.job.attempts).toBe(1)
  expect(await handBackJob(context(), lease)).toBe(false)
  expect(await claimJobById(context(), job.id, { leaseSeconds: 60 })).toBeNull()
})
