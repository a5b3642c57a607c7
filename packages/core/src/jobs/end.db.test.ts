import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { listJobSummaries, type NewJob, openDb, type StoredResult } from '@subtext/db'
import { storeJob, useTestDatabase } from '@subtext/db/testing'
import type { WebhookEvent } from '../webhooks/event.ts'
import { completeJob, failJob, failOwnJob } from './end.ts'
import { claimJobById, handBackJob, keepLease, LeaseLostError, reportStep } from './index.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let published: string[] = []
let warnings: string[] = []
let redisIsAway = false
const listeners = new Map<string, (id: string) => void>()

beforeEach(() => {
  published = []
  warnings = []
  redisIsAway = false
})

const ignore = (): void => {}
const context = () => ({
  db,
  clock: () => new Date(),
  log: { info: ignore, error: ignore, warn: (message: string) => warnings.push(message) },
  producer: { isConnected: () => !redisIsAway, wakeJobs: async () => {} },
  notifier: {
    subscribe: (kind: string, listener: (id: string) => void) => {
      listeners.set(kind, listener)
      return () => void listeners.delete(kind)
    },
    publish: async (kind: string, id: string) => {
      if (redisIsAway) throw new Error('Redis is away.')
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
  const taken = await claimJobById(context(), job.id, 60)
  if (!taken) throw new Error('A new job could not be claimed.')
  return taken
}

const newEvent = (type: WebhookEvent['type']): WebhookEvent => ({
  id: randomUUID(),
  type,
  createdAt: new Date(),
  body: Buffer.from('{}'),
})
const newResult = (jobId: string): StoredResult => ({
  jobId,
  transcriptId: randomUUID(),
  cueCount: 0,
  truncated: false,
  selectionReason: 'manual_first',
  videoInfo: {} as StoredResult['videoInfo'],
  citedStarts: {},
  usage: {
    input_tokens: 5,
    output_tokens: 6,
    cached_input_tokens: 7,
    total_tokens: 18,
    cost_usd: 0.25,
    model: 'm',
    cached: false,
  },
  processingMs: 5,
  completedAt: new Date('2026-11-21T12:00:00.000Z'),
})

async function traces(jobId: string) {
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

test('completing writes state, result, usage and event together, once, and tells those who wait', async () => {
  const { job, lease } = await claimed()
  const event = newEvent('job.completed')
  const done = { result: newResult(job.id), warnings: [], event }
  const ends = await Promise.all([1, 2, 3].map(() => completeJob(context(), lease, done)))
  expect(ends.filter(Boolean)).toHaveLength(1)
  const { usage, events, ...rest } = await traces(job.id)
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

test('failing gives the quota back in the same transaction', async () => {
  const { job, lease } = await claimed()
  const failure = { error: new ServiceError('VIDEO_UNAVAILABLE'), completedAt: new Date() }
  expect(await failJob(context(), lease, failure)).toBe(true)
  expect(await failJob(context(), lease, failure)).toBe(false)
  const { usage, events, ...rest } = await traces(job.id)
  expect(rest).toEqual({ status: 'failed', result: 0, released: 1, used: [0, 0] })
  expect(usage).toMatchObject([{ outcome: 'failed', inputTokens: 0 }])
  expect(events).toHaveLength(1)
})

test('the owner ends a job whoever works on it, once, and its worker writes nothing more', async () => {
  const { job, lease } = await claimed()
  expect(await failOwnJob(context(), randomUUID(), job.id, CANCELLATION)).toBeNull()
  expect(await traces(job.id)).toEqual(NOTHING)

  const ends = await Promise.all([1, 2, 3].map(() => failOwnJob(context(), job.userId, job.id, CANCELLATION)))
  expect(ends.flatMap((end) => end ?? [])).toMatchObject([{ id: job.id, status: 'failed', progress: 0 }])
  const { usage, events, ...rest } = await traces(job.id)
  expect(rest).toEqual({ status: 'failed', result: 0, released: 1, used: [0, 0] })
  expect(usage).toMatchObject([{ outcome: 'failed' }])
  expect(events.map((event) => JSON.parse(Buffer.from(event.body).toString('utf8')))).toMatchObject([
    { event: 'job.failed', data: { job_id: job.id, error: { code: 'JOB_CANCELLED', retryable: false } } },
  ])
  expect(published).toEqual([`job ${job.id}`, `delivery ${events[0]?.id}`])
  expect(await completeJob(context(), lease, { result: newResult(job.id), warnings: [], event: null })).toBe(false)
  expect(await claimJobById(context(), job.id, 60)).toBeNull()
})

test('a completion and a cancellation at the same moment: one of them, whole', async () => {
  for (let round = 0; round < 10; round++) {
    const { job, lease } = await claimed()
    const [completed, cancelled] = await Promise.all([
      completeJob(context(), lease, { result: newResult(job.id), warnings: [], event: newEvent('job.completed') }),
      failOwnJob(context(), job.userId, job.id, CANCELLATION),
    ])
    expect([completed, cancelled !== null].filter(Boolean)).toHaveLength(1)
    expect(await traces(job.id)).toMatchObject({
      ...(completed ? { status: 'completed', result: 1, released: 0 } : { status: 'failed', result: 0, released: 1 }),
      events: [{ type: completed ? 'job.completed' : 'job.failed' }],
    })
  }
})

test('when any part cannot be written, nothing is, and the job can still be ended', async () => {
  const { job, lease } = await claimed()
  const event = newEvent('job.completed')
  const broken = { ...event, id: 'no uuid' }
  const result = newResult(job.id)
  await expect(completeJob(context(), lease, { result, warnings: [], event: broken })).rejects.toThrow()
  expect(await traces(job.id)).toEqual(NOTHING)
  expect(published).toEqual([])
  expect(await completeJob(context(), lease, { result, warnings: [], event })).toBe(true)
})

test('without a webhook there is no event', async () => {
  const { job, lease } = await claimed({ webhookUrl: null })
  await completeJob(context(), lease, { result: newResult(job.id), warnings: [], event: newEvent('job.completed') })
  expect((await traces(job.id)).events).toEqual([])
})

test('a lost notification costs a line of log and nothing else', async () => {
  const { job, lease } = await claimed()
  redisIsAway = true
  const done = { result: newResult(job.id), warnings: [], event: newEvent('job.completed') }
  expect(await completeJob(context(), lease, done)).toBe(true)
  expect((await traces(job.id)).status).toBe('completed')
  expect(warnings).toEqual(['notification lost', 'notification lost'])
})

test('who lost the lease writes nothing', async () => {
  const { job, lease } = await claimed()
  const lost = { ...lease, token: randomUUID() }
  const error = new ServiceError('INTERNAL_ERROR')
  expect(await completeJob(context(), lost, { result: newResult(job.id), warnings: [], event: null })).toBe(false)
  expect(await failJob(context(), lost, { error, completedAt: new Date() })).toBe(false)
  await expect(reportStep(context(), lost, 'summarizing', 50)).rejects.toBeInstanceOf(LeaseLostError)
  expect(await traces(job.id)).toEqual(NOTHING)
  expect(published).toEqual([])
})

test('a job that is handed back can be taken at once, and the attempt does not count', async () => {
  const { job, lease } = await claimed()
  expect(await handBackJob(context(), lease)).toBe(true)
  expect((await claimJobById(context(), job.id, 60))?.job.attempts).toBe(1)
  expect(await handBackJob(context(), lease)).toBe(false)
  expect(await claimJobById(context(), job.id, 60)).toBeNull()
})

describe('keepLease', () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  test('prolongs the lease for as long as the work takes', async () => {
    const { job, lease } = await claimed()
    await db.query('UPDATE jobs SET wake_at = now() WHERE id = $1', [job.id])
    const result = await keepLease(context(), lease, 0.6, async () => {
      while (!(await db.prisma.job.findFirst({ where: { id: job.id, wakeAt: { gt: new Date() } } })));
      return 'done'
    })
    expect(result).toBe('done')
  })

  test('ends the work when somebody else has the job', async () => {
    const { job, lease } = await claimed()
    await db.query('UPDATE jobs SET lease_token = gen_random_uuid() WHERE id = $1', [job.id])
    await expect(keepLease(context(), lease, 0.3, untilAborted)).rejects.toBeInstanceOf(LeaseLostError)
  })

  test('a cancellation ends the work at once; a notification alone does not', async () => {
    const { job, lease } = await claimed()
    const started = performance.now()
    const work = keepLease(context(), lease, 60, untilAborted)
    listeners.get('cancel')?.(job.id)
    expect(await Promise.race([work, setTimeout(200, 'goes on')])).toBe('goes on')
    await failOwnJob(context(), job.userId, job.id, CANCELLATION)
    listeners.get('cancel')?.(randomUUID())
    expect(await Promise.race([work, setTimeout(200, 'goes on')])).toBe('goes on')
    listeners.get('cancel')?.(job.id)
    await expect(work).rejects.toBeInstanceOf(LeaseLostError)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(listeners.has('cancel')).toBe(false)
  })

  test('with Redis away a cancellation is found long before the lease runs out', async () => {
    const { job, lease } = await claimed()
    redisIsAway = true
    const started = performance.now()
    const work = keepLease(context(), lease, 60, untilAborted)
    await failOwnJob(context(), job.userId, job.id, CANCELLATION)
    await expect(work).rejects.toBeInstanceOf(LeaseLostError)
    expect(performance.now() - started).toBeLessThan(6_000)
  })

  test('lets the work go on while the store is away: nobody else can have taken the job', async () => {
    const { lease } = await claimed()
    const broken = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
    const began = performance.now()
    const work = keepLease({ ...context(), db: broken }, lease, 0.3, async (lost) => {
      while (warnings.length < 5 || performance.now() - began < 600) await setTimeout(10)
      return lost.aborted
    })
    expect(await work).toBe(false)
    await broken.close()
  })
})
